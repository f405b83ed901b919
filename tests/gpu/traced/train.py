"""A small training of PyTorch's: most of its time is calls of the driver. Prints what came out, and on stderr nanoseconds a step."""
import os
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
from rounds import timed

os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
import torch

torch.use_deterministic_algorithms(True)
torch.manual_seed(5)
model = torch.nn.Sequential(
    torch.nn.Conv2d(1, 8, 3, padding=1), torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.MaxPool2d(2), torch.nn.Flatten(),
    torch.nn.Linear(8 * 14 * 14, 64), torch.nn.LayerNorm(64), torch.nn.GELU(), torch.nn.Linear(64, 10),
).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, foreach=False)
images, labels = torch.randn(64, 1, 28, 28, device="cuda"), torch.randint(0, 10, (64,), device="cuda")
loss = None


def step():
    global loss
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(images), labels)
    loss.backward()
    optimizer.step()


timed(step, torch.cuda.synchronize, 4)
print("loss", loss.item().hex(), "weights", sum(p.double().sum() for p in model.parameters()).item().hex())
