"""Which settings are in force for a document: what the client said when it began; before that, what it says for all;
before these, what it says for the folder of the workspace that the document is in; and before all, what that folder's
`fathom.toml` says. What the client says for all, or for a folder, is each time the whole of it.

A document in no folder goes by the first one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import unquote, urlsplit

from fathom.editions.folder.places import NoMlir, absolute, is_folder
from fathom.records import replace
from fathom_server.model.settings import (
    Problem,
    Settings,
    holding,
    problems_of,
    updated,
    with_project,
    with_tools,
)

if TYPE_CHECKING:
    from fathom.pipeline.language import Find
    from fathom_server.session.projects import Project


OF_THE_USER: Final = ("tools", "projectTools", "dialectCode", "run.contained")
"""The settings that name commands which are run, or allow code of a project, or that it does as it likes."""


class Configuration:
    """What was said, and the settings that follow from it. Folders are URIs."""

    def __init__(self) -> None:
        self.guards = False
        """Whether the client keeps a project that nobody trusts from saying what is the user's to say. Some take what
        is set from files of the project, and nothing tells that from what the user set: then `OF_THE_USER` counts from
        what the client said when it began alone."""
        self.general = Settings()
        """The settings of a document that no folder says anything of."""
        self._first = Settings()
        self._folders: tuple[str, ...] = ()
        self._said: dict[str | None, dict[str, object]] = {}
        self._projects: dict[str, Project] = {}
        self._editions: dict[str, str] = {}
        self._known: dict[str, Settings] = {}

    def begin(self, section: object) -> list[Problem]:
        """Takes over what the client says when it begins; gives back what is wrong with it."""
        self._first, problems = updated(Settings(), section)
        self._make_general()
        return problems

    def take(self, section: object, folder: str | None = None) -> list[Problem]:
        """Takes over what the client says for a folder, or for all; gives back what is wrong with it."""
        said = section if self.guards else _without_what_the_user_says(section)
        self._said[folder], problems = holding(said, self._said.get(folder, {}))
        self._make_general()
        return problems

    def unknown_passes(self, find: Find) -> list[Problem]:
        """What is wrong with the pipelines of settings, where their passes are to be found like this."""
        named = {settings.pipeline_text for settings in (self.general, *self._known.values())}
        return [Problem("pipeline", problem) for text in sorted(named) for problem in problems_of(text, find)]

    def _make_general(self) -> None:
        self.general = self._with_edition(updated(self._first, self._said.get(None, {}))[0], None)
        self._known.clear()

    def use_folders(self, folders: Sequence[str]) -> None:
        """Takes over which folders there are."""
        self._folders = tuple(folders)
        self._said = {folder: section for folder, section in self._said.items() if folder is None or folder in folders}
        self._known.clear()

    def use_projects(self, projects: Mapping[str, Project]) -> None:
        """Takes over what the files in the folders say."""
        self._projects = dict(projects)
        self._known.clear()

    @property
    def edition_folders(self) -> tuple[str, ...]:
        """The paths of the folders that are named as editions of MLIR."""
        said = (self._said_edition(folder) for folder in (None, *self._folders))
        return tuple(dict.fromkeys(path for path in said if is_folder(path)))

    def use_editions(self, editions: Mapping[str, str]) -> None:
        """Takes over which editions stand for the folders that are named as such, by their paths."""
        self._editions = dict(editions)
        self._make_general()

    def _said_edition(self, folder: str | None) -> str:
        """The edition that is said for a folder of the workspace, or for all: a name, or the path of a folder."""
        settings = updated(self._first, self._said.get(None, {}))[0]
        project = None
        if folder is not None:
            settings = updated(settings, self._said.get(folder, {}))[0]
            project = self._projects.get(folder)
        said = (project.mlir if project is not None else "") or settings.mlir
        if not is_folder(said):
            return said
        try:
            return absolute(said, str(_path_of(folder) or ""))
        except NoMlir:
            return ""

    def _with_edition(self, settings: Settings, folder: str | None) -> Settings:
        """The settings with the edition that is said in the form in which contexts know it."""
        said = self._said_edition(folder)
        edition = self._editions.get(said, "") if is_folder(said) else said
        return replace(settings, mlir=edition) if edition != settings.mlir else settings

    def folder_of(self, uri: str) -> str | None:
        """The folder of the workspace that a document goes by: the innermost one that it is in, or else the first."""
        plain = unquote(uri)  # Clients quote as they like.
        around = [folder for folder in self._folders if plain.startswith(f"{unquote(folder).rstrip('/')}/")]
        return max(around, key=len) if around else next(iter(self._folders), None)

    def settings_for(self, uri: str) -> Settings:
        """The settings in force for a document."""
        folder = self.folder_of(uri)
        if folder is None:
            return self.general
        known = self._known.get(folder)
        if known is None:
            known = self._known[folder] = self._made(folder)
        return known

    def _made(self, folder: str) -> Settings:
        settings, _ = updated(self.general, self._said.get(folder, {}))
        project = self._projects.get(folder)
        settings = with_tools(settings, project.tools if project is not None else (), _path_of(folder))
        if project is None:
            return self._with_edition(settings, folder)
        settings, _ = updated(settings, project.section)
        return with_project(self._with_edition(settings, folder), project.pipeline)


def _path_of(folder: str | None) -> Path | None:
    """The path of a folder of this machine, from its URI."""
    return Path(unquote(urlsplit(folder).path)) if folder is not None and folder.startswith("file:") else None


def _without_what_the_user_says(section: object, around: str = "") -> object:
    """A section without these settings, be it nested or with dots in its names."""
    if not isinstance(section, Mapping):
        return section
    kept: dict[str, object] = {}
    for name, value in cast("Mapping[str, object]", section).items():
        path = f"{around}{name}"
        if any(path == own or path.startswith(f"{own}.") for own in OF_THE_USER):
            continue
        holds_some = any(own.startswith(f"{path}.") for own in OF_THE_USER)
        kept[name] = _without_what_the_user_says(value, f"{path}.") if holds_some else value
    return kept
