"""How far any state of gears can be from any start: exact, or bounded, for one class of boards.

Distances add over parts that never mesh, and a cell without teeth adds three turns, so the census's classes are all
that is examined. A class is searched on its *outlines*: the bits of a state that meshing does not depend on are
*free*, and adding to them commutes with every turn. So a way between outlines is a way from each of their states, and
arrives *shifted*, by an element of the group of the free bits; such states are *translates* of each other.

``bound`` goes through the strongly connected components of the outlines, sources first. To a state of one lead at
most the turns to what stands before it, and then those from there through the component: by a *hub*, with a way that
brings the right shift. Where this exceeds a limit, searches back from single states tell exactly how far their
farthest start is. What numba compiles here, if it is installed, is plain Python, which does the same more slowly.
"""

from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from clocklab import sawtooth
from clocklab.dials import DIALS, LOW, STATES, State
from clocklab.sawtooth import EDGES, Board
from clocklab.studies.reach import OUTLINE_BITS
from clocklab.studies.reach import _outlines as outlines

jit: Any = (lambda function: function) if find_spec("numba") is None else import_module("numba").njit

FAR = 32000  # the level of an outline that is not reached
NEAR = 3  # ways that come back are first sought near the hub
WALK = 200  # turns after which a walk is expected in a sink
# touching cells, and the side of the first that meets the second
SIDES = np.array([(a, b, sawtooth.RIGHT if b == a + 1 else sawtooth.BOTTOM) for a, b in EDGES])


class Graph(NamedTuple):
    """The outlines of a class, and to what the turns lead from each."""

    states: np.ndarray  # the outlines, as states
    place: np.ndarray  # by state that is an outline: its place among them
    mask: int  # the bits of an outline
    free: int  # the other bits of the cells with teeth
    first: np.ndarray  # by outline: its first arc
    head: np.ndarray  # by arc: the outline to which it leads
    word: np.ndarray  # by arc: the word that it adds
    component: np.ndarray  # by outline: its strongly connected component, sinks first; -1 while not known


class Room(NamedTuple):
    """Arrays that all searches share and leave as they were, since making them takes longer than a small search."""

    arcs: np.ndarray
    work: np.ndarray
    distance: np.ndarray  # by state: -1
    cost: np.ndarray  # by shift: -1
    length: np.ndarray  # by shift: 0
    itself: np.ndarray  # by shift


def room() -> Room:
    """Return room for searches, 30 MB."""
    arcs, work = np.zeros((2, DIALS * STATES), np.int32), np.zeros((5, STATES + 1), np.int32)
    distance, cost, length = (np.full(STATES, value, np.int32) for value in (-1, -1, 0))
    return Room(arcs, work, distance, cost, length, np.arange(STATES, dtype=np.int32))


@jit
def _add(state, word):  # dials.add, of plain numbers
    return (word << 1 & (state & LOW) << 1) ^ word ^ state


@jit
def _minus(word):  # dials.negate
    return word ^ (word & LOW) << 1


@jit
def _patterns(teeth, states):
    """Return the mesh pattern of each outline, from the teeth of the cells."""
    patterns = np.zeros(states.size, np.int32)
    for bit in range(SIDES.shape[0]):
        a, b, side = SIDES[bit]
        if teeth[a] and teeth[b]:
            for i in range(states.size):
                one = teeth[a] >> (side - (states[i] >> 2 * a) & 3)
                other = teeth[b] >> (side - 2 - (states[i] >> 2 * b) & 3)
                patterns[i] |= (one & other & 1) << bit
    return patterns


@jit
def _graph(teeth, states, index, mask, free, counts, words, room):
    """Return the graph of a class, its arcs without doubles: ``words`` are the different ones by mesh pattern."""
    patterns = _patterns(teeth, states)
    first = np.empty(states.size + 1, np.int32)
    head, word = room.arcs[0], room.arcs[1]
    arcs = 0
    for i in range(states.size):
        first[i] = arcs
        for j in range(counts[patterns[i]]):
            word[arcs] = words[patterns[i], j]
            head[arcs] = index[_add(states[i], word[arcs]) & mask]
            arcs += 1
    first[states.size] = arcs
    return Graph(states, index, mask, free, first, head, word, np.full(states.size, -1, np.int32))


@jit
def _backward(g, least):
    """Return the arcs between outlines whose components are numbered from ``least`` on, by their heads.

    That is where those of each begin, and by arc the word that takes it back.
    """
    size = g.states.size
    first = np.zeros(size + 1, np.int32)
    word = np.empty(0, np.int32)
    for filling in (False, True):
        for node in range(size):
            for arc in range(g.first[node], g.first[node + 1] if g.component[node] >= least else 0):
                other = g.head[arc]
                if g.component[other] >= least:
                    first[other] += -1 if filling else 1
                    if filling:
                        word[first[other]] = _minus(g.word[arc])
        if not filling:
            for i in range(size):
                first[i + 1] += first[i]
            word = np.empty(first[size], np.int32)
    return first, word


@jit
def _shift(g, node, arc):
    """Return by what an arc shifts its way."""
    return _add(g.states[node], g.word[arc]) & g.free


@jit
def _out(hub, members, g, level, shift):
    """Search a component from an outline; fill in the levels and how the ways are shifted. Return how far it goes."""
    level[hub] = shift[hub] = far = 0
    more = True
    while more:
        more = False
        for node in members:  # in rising order, which the memory likes better than a queue's
            if level[node] == far:
                more = True
                for arc in range(g.first[node], g.first[node + 1]):
                    other = g.head[arc]
                    if level[other] == FAR and g.component[other] == g.component[hub]:
                        level[other] = far + 1
                        shift[other] = _add(_shift(g, node, arc), shift[node])
        far += 1
    return far - 2


@jit
def _home(hub, members, g, enough, level, shift):
    """Find ways home to an outline in its component, shorter ones in each sweep; fill in their lengths and shifts.

    No shorter way is sought where ``enough`` are enough, unless nothing else helps. Return how long the longest is.
    """
    level[hub] = shift[hub] = 0
    missing, far, changed, lazy, step = members.size - 1, 0, True, True, -1
    while changed and (missing or far > enough):
        changed, far, step = False, 0, -step
        for node in members[::step]:
            best, by = level[node], -1
            if best > enough or not lazy:
                for arc in range(g.first[node], g.first[node + 1]):
                    other = g.head[arc]
                    if level[other] + 1 < best and g.component[other] == g.component[hub]:
                        best, by = level[other] + 1, arc
            if by >= 0:
                changed = True
                missing -= level[node] == FAR
                level[node] = best
                shift[node] = _add(_shift(g, node, by), shift[g.head[by]])
            if best < FAR:
                far = max(far, best)
        if lazy and not changed and far > enough:
            changed, lazy = True, False
    return far


@jit
def _components(g, order, done, room):
    """Number the other components, sinks first (Tarjan 1972), and put them in order; return where each begins."""
    number, low, stack = room.work[0], room.work[1], room.work[2]
    path, position = room.work[3], room.work[4]
    number[: g.states.size] = -1
    begin = [0]
    if done:
        begin.append(done)
    seen = kept = 0
    for root in range(g.states.size):
        depth = -1
        enter = root if g.component[root] < 0 else -1
        while enter >= 0 or depth >= 0:
            if enter >= 0:
                depth += 1
                path[depth], position[depth] = enter, g.first[enter]
                number[enter] = low[enter] = seen
                stack[kept] = enter
                seen, kept, enter = seen + 1, kept + 1, -1
            node = path[depth]
            if position[depth] < g.first[node + 1]:
                other = g.head[position[depth]]
                position[depth] += 1
                if g.component[other] < 0 and number[other] < 0:
                    enter = other
                elif g.component[other] < 0:
                    low[node] = min(low[node], number[other])
                continue
            depth -= 1
            if depth >= 0:
                low[path[depth]] = min(low[path[depth]], low[node])
            if low[node] == number[node]:
                while g.component[node] < 0:
                    kept -= 1
                    g.component[stack[kept]] = len(begin) - 1
                    order[done] = stack[kept]
                    done += 1
                begin.append(done)
    return begin


@jit
def _shifts(members, near, g, out, out_shift, into, into_shift, room):
    """Fill ``room.work[1]`` with the group of shifts by which ways from the hub come back; return its size.

    Return also how long a way brings any of them, at most. They are put together from ways that leave by one tree
    and, after an arc from an outline at most ``near``, come home by the other; their shifts add, whatever the order.
    """
    found, group, length, cost = room.work[0], room.work[1], room.length, room.cost
    many = longest = 0
    for node in members:
        for arc in range(g.first[node], g.first[node + 1] if out[node] <= near else 0):
            other = g.head[arc]
            if g.component[other] == g.component[node]:
                by = _add(_add(out_shift[node], _shift(g, node, arc)), into_shift[other])
                steps = out[node] + 1 + into[other]
                if by and (length[by] == 0 or steps < length[by]):
                    if length[by] == 0:
                        found[many] = by
                        many += 1
                    length[by] = steps
                    longest = max(longest, steps)
    group[0] = cost[0] = far = 0
    size = 1
    for steps in range(1, longest + 1):
        for by in found[:many]:
            if length[by] == steps and not 0 <= cost[by] <= steps:
                size = _joined(by, steps, group, size, cost)
    length[found[:many]] = 0
    for by in group[:size]:
        far = max(far, cost[by])
        cost[by] = -1
    return size, far


@jit
def _joined(by, steps, group, size, cost):
    """Let a group's elements be shifted once more, up to three times: four are none. Return the group's new size."""
    for _ in range(3):
        i = 0
        while i < size:
            other, more = _add(group[i], by), cost[group[i]] + steps
            if cost[other] < 0:
                group[size] = other
                size += 1
                cost[other] = more
            cost[other] = min(cost[other], more)
            i += 1
    return size


@jit
def _back(state, g, back, alike, room):
    """Return how many turns the farthest start needs to a state, shifts that are ``alike`` not told apart."""
    first, word = back
    distance, queue = room.distance, room.work[2]
    queue[0], distance[state] = state, 0
    size, i = 1, 0
    while i < size:
        now = queue[i]
        node = g.place[now & g.mask]
        i += 1
        for arc in range(first[node], first[node + 1]):
            before = _add(now, word[arc])
            before = before & g.mask | alike[before & g.free]
            if distance[before] < 0:
                distance[before] = distance[now] + 1
                queue[size] = before
                size += 1
    far = distance[queue[size - 1]]
    distance[queue[:size]] = -1
    return far


@jit
def _cosets(group, free):
    """Return for each shift the least of those that differ from it by an element of a group."""
    least = np.full(free + 1, -1, np.int32)
    shift = 0
    while True:
        if least[shift] < 0:
            for by in group:
                least[_add(shift, by)] = shift
        if shift == free:
            return least
        shift = (shift - free) & free  # the next of all


@jit
def _refine(members, limit, at_most, g, back, room):
    """Lower the bounds of a component's outlines until none exceeds the limit, or the largest is exact.

    Return the largest, and its outline.
    """
    exact = np.zeros(members.size, np.bool_)
    while True:
        worst = np.argmax(at_most[members])
        hub = members[worst]
        if at_most[hub] <= limit or exact[worst]:
            return at_most[hub], hub
        exact[worst] = True
        far = _back(g.states[hub], g, back, room.itself, room)
        if members.size > 1:
            _spread(hub, far, at_most, g, room)
        at_most[hub] = far


@jit
def _spread(hub, far, at_most, g, room):
    """Lower the bounds of a component's outlines: ``far`` turns at most lead to the hub, and some more from there."""
    distance, queue = room.distance, room.work[2]
    queue[0], distance[g.states[hub]] = g.states[hub], 0
    size, i = 1, 0
    while i < size:
        now = queue[i]
        node = g.place[now & g.mask]
        i += 1
        for arc in range(g.first[node], g.first[node + 1]):
            after = _add(now, g.word[arc])
            if distance[after] < 0 and g.component[g.head[arc]] == g.component[hub]:
                distance[after] = distance[now] + 1
                queue[size] = after
                size += 1
    last = np.zeros(g.states.size, np.int32)
    for now in queue[:size]:
        last[g.place[now & g.mask]] = distance[now]
        distance[now] = -1
    for node in range(last.size):
        if last[node]:
            at_most[node] = min(at_most[node], far + last[node])


@jit
def _bound(g, limit, room):
    """Return what ``bound`` does."""
    size, bits = g.states.size, 0
    for bit in range(2 * DIALS):
        bits += g.free >> bit & 1
    out, into = np.full(size, FAR, np.int16), np.full(size, FAR, np.int16)
    out_shift, into_shift, at_most = np.zeros(size, np.int32), np.zeros(size, np.int32), np.zeros(size, np.int32)
    order, middle = np.arange(size, dtype=np.int32), 0
    for step in range(WALK):
        middle = g.head[g.first[middle] + step % (g.first[middle + 1] - g.first[middle])]
    from_middle = _out(middle, order, g, out, out_shift)
    home = _home(middle, order, g, limit - from_middle - 2 * bits, into, into_shift)
    sink = np.flatnonzero(out < FAR)
    closed = into[sink].max() < FAR  # all that the walk's end reaches leads back to it
    if closed:
        g.component[sink] = 0
        order[: sink.size] = sink
    for node in range(size):
        if g.component[node] < 0:
            out[node] = into[node] = FAR
    begin = _components(g, order, sink.size if closed else 0, room)
    back = _backward(g, int(closed))

    before, led_to = np.zeros(len(begin), np.int32), np.zeros(len(begin), np.bool_)
    largest = target = sources = everything = 0
    for c in range(len(begin) - 2, -1, -1):
        members, most, group = order[begin[c] : begin[c + 1]], before[c], 1
        hub, through, last = members[0], 0, closed and c == 0
        turning = members.size > 1
        for arc in range(g.first[hub], g.first[hub + 1]):
            turning |= g.head[arc] == hub
        if turning:
            if last:
                hub, through = middle, from_middle
            else:
                through = _out(hub, members, g, out, out_shift)
                _home(hub, members, g, 0, into, into_shift)
            if g.free:
                group, way = _shifts(members, NEAR, g, out, out_shift, into, into_shift, room)
                if group < 1 << bits:
                    group, way = _shifts(members, FAR, g, out, out_shift, into, into_shift, room)
                through += way
            most += into[members].max() + through
            if last and group == 1 << bits:
                most = min(most, home + through)
            if most > limit:
                if last:
                    back = _backward(g, 0)
                alike = room.itself if group == 1 else _cosets(room.work[1][:group], g.free)
                most = min(most, _back(g.states[hub], g, back, alike, room) + through)
        if most > limit:
            at_most[members] = most
            most, hub = _refine(members, limit, at_most, g, back, room)
        if not led_to[c]:
            sources += 1
            everything = members.size if group == 1 << bits else 0
        if most > largest:
            largest, target = most, g.states[hub]
        for node in members[: 0 if last else members.size]:
            for arc in range(g.first[node], g.first[node + 1]):
                other = g.component[g.head[arc]]
                if other != c:
                    before[other] = max(before[other], most + 1)
                    led_to[other] = True
    return largest, everything if sources == 1 else 0, target


@jit
def _verdict(teeth, states, index, mask, free, counts, words, limit, room):
    """Return what ``bound`` does."""
    return _bound(_graph(teeth, states, index, mask, free, counts, words, room), limit, room)


@lru_cache(maxsize=4)
def _outlines(mask: int) -> tuple[np.ndarray, np.ndarray]:
    states, index = outlines(mask)
    return states.astype(np.int32), index.astype(np.int32)


@lru_cache(maxsize=4)
def _different(cells: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return how many different words the turns of some cells add, by mesh pattern, and which."""
    words = np.sort(sawtooth.coupling()[list(cells)].T, axis=1)
    new = np.diff(words, axis=1, prepend=-1) != 0
    counts = new.sum(axis=1)
    found = np.zeros_like(words)
    found[np.arange(len(cells)) < counts[:, None]] = words[new]
    return counts.astype(np.int32), found.astype(np.int32)


class Bound(NamedTuple):
    """What is found out about a board; its cells without teeth, which turn alone, are left out."""

    distance: int  # no state is farther from any start that leads there
    everything: int  # on how many of the boards that differ only in how their cells lie the start reaches all states
    target: State  # if the distance is exact: a state that is so far from some start


def bound(board: Board, limit: int, room: Room) -> Bound:
    """Return a bound on how far states are from starts: exact if it exceeds ``limit``.

    >>> from clocklab.studies.examples import TRAPDOOR
    >>> bound(TRAPDOOR, 0, room()).distance  # two cells
    6
    """
    teeth = sawtooth.teeth_by_cell(board)
    cells = tuple(sawtooth.toothed(board))
    mask = sum(OUTLINE_BITS[teeth[cell]] << 2 * cell for cell in cells)
    free = sum(0b11 << 2 * cell for cell in cells) & ~mask
    return Bound(*_verdict(np.array(teeth, np.int32), *_outlines(mask), mask, free, *_different(cells), limit, room))
