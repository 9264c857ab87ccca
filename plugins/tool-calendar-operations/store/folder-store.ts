import path from "node:path";
import { ToolError, Turns, type Files } from "@pergola/sdk";
import { addBlock, blocksOf } from "../ics/blocks.ts";
import type { Kind } from "../ics/items.ts";
import type { Calendar, CalendarStore, CalendarText, Edit } from "./calendar-store.ts";

/** Changes of one file, by its path: calls that run at once must not overwrite each other's. */
const changes = new Turns();

const empty = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Pergola//Calendar//EN\r\nEND:VCALENDAR\r\n";
const standardNames: Readonly<Record<Kind, string>> = { VEVENT: "Calendar", VTODO: "Reminders" };

/** What other programs named a calendar, else its file's name. */
function nameIn(text: string, fileName: string): string {
  const head = text.slice(0, blocksOf(text)[0]?.start ?? text.length);
  const given = /^X-WR-CALNAME(?:;[^:]*)?:(.*?)\r?$/im.exec(head)?.[1] ?? "";
  return given.replace(/\\([,;\\])/g, "$1").trim() || fileName;
}

/** A folder with one .ics file for each calendar, which holds events and reminders. */
export class FolderStore implements CalendarStore {
  readonly #files: Files;
  readonly #folder: string;

  constructor(files: Files, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  async calendars(): Promise<readonly Calendar[]> {
    if ((await this.#files.stat(this.#folder)) === undefined) return [];
    const found = (await this.#files.list(this.#folder)).filter(
      ({ kind, name }) => kind !== "directory" && /^[^.].*\.ics$/i.test(name),
    );
    return Promise.all(found.map(async ({ name }) => this.#calendar(name)));
  }

  async texts(calendar: Calendar): Promise<readonly CalendarText[]> {
    return [{ calendar, place: calendar.place, text: await this.#files.readText(calendar.place) }];
  }

  /** The calendar with the standard name, else the first that holds such things, else one to be made. */
  async standard(kind: Kind): Promise<Calendar> {
    const calendars = await this.calendars();
    const name = standardNames[kind];
    const named = calendars.find(({ names }) =>
      names.some((one) => one.toLowerCase() === name.toLowerCase()),
    );
    if (named !== undefined) return named;
    for (const calendar of calendars) {
      const text = await this.#files.readText(calendar.place);
      if (blocksOf(text).some((block) => block.kind === kind)) return calendar;
    }
    return { name, names: [name], kinds: ["VEVENT", "VTODO"], place: path.join(this.#folder, `${name}.ics`) };
  }

  async add(calendar: Calendar, _uid: string, component: string): Promise<void> {
    await this.#rewrite(calendar.place, (text) => {
      const longer = addBlock(text, component);
      if (longer === undefined)
        throw new ToolError("conflict", `${path.basename(calendar.place)} is not an iCalendar file.`);
      return longer;
    });
  }

  async change({ place }: CalendarText, edit: Edit): Promise<void> {
    await this.#rewrite(place, edit);
  }

  async #calendar(fileName: string): Promise<Calendar> {
    const place = path.join(this.#folder, fileName);
    const base = fileName.slice(0, -4);
    const name = nameIn(await this.#files.readText(place), base);
    return { name, names: [...new Set([name, base])], kinds: ["VEVENT", "VTODO"], place };
  }

  async #rewrite(file: string, edit: Edit): Promise<void> {
    await changes.take(file, async () => {
      const isThere = (await this.#files.stat(file)) !== undefined;
      const text = isThere ? await this.#files.readText(file) : empty;
      const changed = await edit(text);
      if (changed !== text) await this.#files.write(file, changed, { create: !isThere });
    });
  }
}
