"""torch.optim.LBFGS in plain torch, which says where to look next; read as text, and translated with the program that uses it."""


class LBFGS:
    """torch.optim.LBFGS, told by `tell` what the loss and its gradient are at a point, and saying which point is next."""

    def __init__(
        self,
        lr=1.0,
        max_iter=20,
        max_eval=None,
        tolerance_grad=1e-7,
        tolerance_change=1e-9,
        history_size=100,
        line_search_fn=None,
    ):
        if line_search_fn not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        self.lr = lr
        self.max_iter = max_iter
        self.max_eval = max_iter * 5 // 4 if max_eval is None else max_eval
        self.tolerance_grad = tolerance_grad
        self.tolerance_change = tolerance_change
        self.history_size = history_size
        self.line_search_fn = line_search_fn
        self.turns = 0
        self.steps, self.changes, self.products = [], [], []
        self.scale, self.length = 1.0, 0.0
        self.direction = self.last_gradient = None
        self.is_searching = False
        self.first_loss = None
        self.search = None

    def begin(self):
        """Begin a step."""
        self.is_searching, self.search = True, self.points()
        next(self.search)

    def tell(self, loss, gradient, point):
        """The next point, which is the last one where `is_searching` does not hold any more."""
        return self.search.send((loss, gradient, point))

    def points(self):
        loss, gradient, point = yield
        self.first_loss = loss
        point = yield from self.descended(loss.item(), gradient, point)
        self.is_searching = False
        yield point

    def descended(self, loss, gradient, point):
        evaluated = 1
        if gradient.abs().max().item() <= self.tolerance_grad:
            return point
        for number in range(self.max_iter):
            is_last = number + 1 == self.max_iter
            self.turn(gradient)
            self.last_gradient, last_loss = gradient, loss
            slope = gradient.dot(self.direction).item()
            if slope > -self.tolerance_change:
                return point
            if self.line_search_fn is None:
                point = point + self.length * self.direction
                if is_last:
                    return point
                loss, gradient, point = yield point  # the closure may have changed it
                loss, count = loss.item(), 1
            else:
                loss, gradient, count = yield from self.strong_wolfe(point, loss, gradient, slope)
                point = point + self.length * self.direction
            evaluated += count
            if is_last or evaluated >= self.max_eval or gradient.abs().max().item() <= self.tolerance_grad:
                return point
            moved = (self.length * self.direction).abs().max().item()
            if moved <= self.tolerance_change or abs(loss - last_loss) < self.tolerance_change:
                return point
        return point

    def turn(self, gradient):
        """Find the direction of the next search, and how far it goes at first."""
        self.turns += 1
        if self.turns == 1:
            self.direction = -gradient
            self.length = min(1.0, 1.0 / gradient.abs().sum().item()) * self.lr
            return
        step, change = self.length * self.direction, gradient - self.last_gradient
        product = change.dot(step).item()
        if product > 1e-10:
            kept = self.history_size - 1
            self.steps = [*self.steps[max(0, len(self.steps) - kept) :], step]
            self.changes = [*self.changes[max(0, len(self.changes) - kept) :], change]
            self.products = [*self.products[max(0, len(self.products) - kept) :], product]
            self.scale = product / change.dot(change).item()
        rest, weights = -gradient, []
        for n in reversed(range(len(self.steps))):
            weight = self.steps[n].dot(rest) / self.products[n]
            rest = rest - weight * self.changes[n]
            weights.insert(0, weight)
        rest = rest * self.scale
        for n in range(len(self.steps)):
            rest = rest + (weights[n] - self.changes[n].dot(rest) / self.products[n]) * self.steps[n]
        self.direction, self.length = rest, self.lr

    def strong_wolfe(self, point, loss, gradient, slope):
        """Search along the direction for a place that fulfils the strong conditions of Wolfe: its loss and gradient, and how many
        places were looked at."""
        first = (0.0, loss, gradient, slope)
        before, now = first, (yield from self.looked(point, self.length))
        count, ends, is_found = 1, None, False
        while count <= 25:
            if now[1] > loss + 1e-4 * now[0] * slope or (count > 2 and now[1] >= before[1]):
                ends = [before, now]
                break
            if abs(now[3]) <= -0.9 * slope:
                ends, is_found = [now], True
                break
            if now[3] >= 0:
                ends = [before, now]
                break
            near, far = now[0] + 0.01 * (now[0] - before[0]), now[0] * 10
            length = self.between(before, now, near, far)
            before, now = now, (yield from self.looked(point, length))
            count += 1
        if ends is None:
            ends = [first, now]
        low = 0 if ends[0][1] <= ends[-1][1] else 1
        is_stuck, largest = False, self.direction.abs().max().item()
        while not is_found and count <= 25:
            left, right = min(ends[0][0], ends[1][0]), max(ends[0][0], ends[1][0])
            if (right - left) * largest < self.tolerance_change:
                break
            length, margin = self.between(ends[0], ends[1], left, right), 0.1 * (right - left)
            if min(right - length, length - left) < margin:
                if is_stuck or length >= right or length <= left:
                    length = right - margin if abs(length - right) < abs(length - left) else left + margin
                    is_stuck = False
                else:
                    is_stuck = True
            else:
                is_stuck = False
            now = yield from self.looked(point, length)
            count += 1
            if now[1] > loss + 1e-4 * length * slope or now[1] >= ends[low][1]:
                ends[1 - low] = now
                low = 0 if ends[0][1] <= ends[1][1] else 1
            else:
                if abs(now[3]) <= -0.9 * slope:
                    is_found = True
                elif now[3] * (ends[1 - low][0] - ends[low][0]) >= 0:
                    ends[1 - low] = ends[low]
                ends[low] = now
        self.length, loss, gradient, _ = ends[low]
        return loss, gradient, count

    def looked(self, point, length):
        """What is at a place along the direction: how far it is, the loss, its gradient, and its slope."""
        loss, gradient, _ = yield point + length * self.direction
        return length, loss.item(), gradient, gradient.dot(self.direction).item()

    def between(self, one, other, left, right):
        """Where a cubic polynomial through two places has its minimum, not outside of these limits."""
        a, b = (one, other) if one[0] <= other[0] else (other, one)
        middle = a[3] + b[3] - 3 * (a[1] - b[1]) / (a[0] - b[0])
        square = middle**2 - a[3] * b[3]
        if not square >= 0:
            return (left + right) / 2
        root = square**0.5
        below = b[3] - a[3] + 2 * root
        if below == 0:
            return right
        return min(max(b[0] - (b[0] - a[0]) * ((b[3] + root - middle) / below), left), right)
