import path from "node:path";
import { TextFolder, type TextEdit } from "@pergola/kit-dav";
import { ToolError, type Files } from "@pergola/sdk";
import { addBlock, blocksOf, emptyCalendar } from "../ics/blocks.ts";
import { kinds, type Kind } from "../ics/items.ts";
import type { Calendar, CalendarStore, CalendarText } from "./calendar-store.ts";

const defaultNames: Readonly<Record<Kind, string>> = { VEVENT: "Calendar", VTODO: "Reminders" };

/** The name that other programs gave a calendar, else the name of its file. */
function nameIn(text: string, fileName: string): string {
  const head = text.slice(0, blocksOf(text)[0]?.start ?? text.length);
  const name = /^X-WR-CALNAME(?:;[^:]*)?:(.*?)\r?$/im.exec(head)?.[1] ?? "";
  return name.replace(/\\([,;\\])/g, "$1").trim() || fileName;
}

/** A folder with one .ics file for each calendar, which holds both events and reminders. */
export class FolderStore implements CalendarStore {
  readonly #folder: TextFolder;

  constructor(files: Files, folder: string) {
    this.#folder = new TextFolder(files, folder, ".ics");
  }

  async calendars(): Promise<readonly Calendar[]> {
    const names = await this.#folder.names();
    return Promise.all(names.map((name) => this.#calendar(name)));
  }

  async texts(calendar: Calendar): Promise<readonly CalendarText[]> {
    return [{ calendar, place: calendar.place, text: await this.#folder.read(calendar.place) }];
  }

  /** The calendar with the default name, else the first with such components, else one yet to be created. */
  async defaultCalendar(kind: Kind): Promise<Calendar> {
    const calendars = await this.calendars();
    const name = defaultNames[kind];
    const isDefault = (one: string): boolean => one.toLowerCase() === name.toLowerCase();
    const byName = calendars.find(({ names }) => names.some(isDefault));
    if (byName !== undefined) return byName;
    for (const calendar of calendars) {
      const blocks = blocksOf(await this.#folder.read(calendar.place));
      if (blocks.some((block) => block.kind === kind)) return calendar;
    }
    return {
      name,
      names: [name],
      kinds,
      place: this.#folder.pathOf(`${name}.ics`),
    };
  }

  async add({ place }: Calendar, _uid: string, component: string): Promise<void> {
    const append = (text: string): string => {
      const longer = addBlock(text, component);
      if (longer !== undefined) return longer;
      throw new ToolError("conflict", `${path.basename(place)} is not an iCalendar file.`);
    };
    await this.#folder.change(place, append, emptyCalendar);
  }

  async change({ place }: CalendarText, edit: TextEdit): Promise<void> {
    await this.#folder.change(place, edit, emptyCalendar);
  }

  async #calendar(fileName: string): Promise<Calendar> {
    const place = this.#folder.pathOf(fileName);
    const base = fileName.slice(0, -".ics".length);
    const name = nameIn(await this.#folder.read(place), base);
    return { name, names: [...new Set([name, base])], kinds, place };
  }
}
