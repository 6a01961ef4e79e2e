"""What the user does."""

from app.demo import acts
from tests.demo.worlds import fill, idle_session, pass_time, quiet_world, said


def test_the_user_fills_the_seats_and_keeps_them_filled() -> None:
    """After a quarter of an hour most seats are taken, and never many more than there are."""
    world = quiet_world(5)
    acts.begin_day(world)
    pass_time(world, 900)
    taken = []
    for _ in range(100):
        pass_time(world, 60)
        taken.append(world.effective())

    assert sum(7 <= seats <= 9 for seats in taken) > 80
    assert max(taken) <= 8 + acts.MOST_OVER


def test_a_held_user_does_nothing() -> None:
    """While a beat is played the user's own steps pause."""
    world = quiet_world()
    world.held = True
    acts.begin_day(world)

    assert pass_time(world, 600) == []


def test_tidying_stops_the_longest_idle() -> None:
    """The head of the queue loses its seat, by hand."""
    world = quiet_world()
    a, b = fill(world, [50, 500])
    acts.tidy(world)

    assert said(world) == [f"Stopping session {b.id}"]
    assert (a.alive, b.alive) == (True, False)


def test_clicking_through_needs_somebody_asleep() -> None:
    """Without one there is nothing to click; the session in focus does not count."""
    world = quiet_world()
    asleep = idle_session(world, 0)
    asleep.phase = "paused"
    first, second = acts.flip(world), acts.flip(world)

    assert first
    assert not second


def test_one_more_is_an_old_session_where_that_is_asked_for() -> None:
    """Else it is a new one."""
    world = quiet_world()
    old = idle_session(world, 0)
    old.phase = "evicted"
    acts.open_one_more(world, old=True)
    resumed = len(world.sessions)
    acts.open_one_more(world, old=False)
    acts.open_one_more(world, old=True)

    assert old.alive
    assert (resumed, len(world.sessions)) == (1, 3)
