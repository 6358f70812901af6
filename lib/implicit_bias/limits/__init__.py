"""What theory predicts, by methods that know nothing of training: a folder for each family of results.

The optimum of a convex problem carries a certificate, whose three parts mean the same everywhere; a flow carries the
error of its conserved quantity; a closed form, a bound or a search says itself what it proves.
"""

from implicit_bias.late import names_of

__getattr__, __dir__ = names_of(__name__, {})
