# A softmax before the loss, which expects logits.


def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs).softmax(dim=1), targets)
    loss.backward()
    optimizer.step()
    return loss.item()
