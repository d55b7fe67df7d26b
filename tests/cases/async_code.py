import asyncio

import torch


async def work(x: torch.Tensor):
    await asyncio.sleep(0)
    async with asyncio.Lock():
        y = torch.sin(x)
    return y


async def many(xs):
    async for x in xs:
        yield torch.ones(1) * x


async def both(x: torch.Tensor):
    return (await work(x)) + torch.cos(x)
