"""One algorithm a file; `registry` names them all and every answer is judged."""
