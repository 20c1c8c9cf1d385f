"""What holds for every test."""

from __future__ import annotations

from tests.support import properties

properties.register()
