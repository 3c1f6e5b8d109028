"""`course restore`: bring back the cell of one exercise that was deleted from a copy."""

import click

from lessonkit.desk.folder import Desk, work_folder
from lessonkit.notebook.catalog import find, select
from lessonkit.system.errors import Refused


@click.command()
@click.argument("chapter")
@click.argument("name", nargs=-1, required=True, metavar="NAME")
def restore(chapter: str, name: tuple[str, ...]) -> None:
    """Bring back the cell of one exercise that you deleted.

    For example: course restore 05 measure, or by its number, course restore 05 2. Everything else in your copy
    stays, and your copy as it was is kept in work/old.
    """
    from lessonkit.desk.restore import restore as bring_back  # imports nbformat, for which `--help` must not wait
    from lessonkit.desk.storage import Trouble

    desk = Desk(work_folder())
    [chosen] = select(find(desk.originals), [chapter])
    try:
        click.echo(bring_back(desk, chosen, " ".join(name)))  # `case 7` without quotation marks, too
    except Trouble as error:
        raise Refused(str(error)) from None
