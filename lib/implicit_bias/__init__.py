"""The implicit bias of gradient methods: problems, models, flows, and the limits that theory predicts.

data, losses → models → flows is how a predictor is trained; limits is what theory says of the outcome, each optimum
with a certificate. limits never imports models or flows: the prediction does not know the training.
"""
