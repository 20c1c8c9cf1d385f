"""Exact exploitability of MCCFR policies in Liar's Dice, even if the tree is too large for OpenSpiel's best response.

OpenSpiel computes a best response on the whole tree, which for two dice each and six sides has 4e10 nodes. The package
liarsdice-cli (pip install liarsdice-cli) searches the betting histories only, for all rolls at once.
"""

from absl import app
from absl import flags
import liarsdice_cli as ld

from open_spiel.python.algorithms import exploitability
import pyspiel

FLAGS = flags.FLAGS

flags.DEFINE_integer("numdice", 1, "Dice of each player")
flags.DEFINE_integer("dice_sides", 6, "Sides of each die")
flags.DEFINE_enum(
    "bidding_rule", "reset-face", ["reset-face", "reset-quantity"],
    "Order of the bids")
flags.DEFINE_integer("iterations", 10000, "Number of iterations")
flags.DEFINE_integer("print_freq", 2000, "How often to print exploitability")
flags.DEFINE_bool("compare", False,
                  "Whether to compute OpenSpiel's exploitability too")


def main(_):
  game = pyspiel.load_game(
      "liars_dice", {
          "numdice": FLAGS.numdice,
          "dice_sides": FLAGS.dice_sides,
          "bidding_rule": FLAGS.bidding_rule,
      })
  rules = ld.interop.from_openspiel(game)
  solver = pyspiel.ExternalSamplingMCCFRSolver(game, seed=1)
  for i in range(1, FLAGS.iterations + 1):
    solver.run_iteration()
    if i % FLAGS.print_freq == 0:
      conv = float(ld.exploitability(rules, solver).exploitability)
      print(f"Iteration {i} exploitability {conv:.6f}", end="")
      if FLAGS.compare:
        own = exploitability.exploitability(game, solver.average_policy())
        print(f" OpenSpiel {own:.6f}", end="")
      print(flush=True)


if __name__ == "__main__":
  app.run(main)
