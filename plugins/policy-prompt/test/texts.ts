import type { MiniPrompt } from "@pergola/sdk/host";
import type { TextSource } from "../choose-texts.ts";

export const mini = (name: string, displayOrder: number): MiniPrompt => ({
  id: `id-${name}`,
  name,
  content: `Text of ${name}.`,
  displayOrder,
  builtIn: false,
  createdAt: "2026-01-01T00:00:00.000Z",
  modifiedAt: "2026-01-01T00:00:00.000Z",
});

const among = <T>(texts: Readonly<Record<string, T>>) => ({
  asked: [] as string[],
  async find(wanted: string) {
    this.asked.push(wanted);
    return texts[wanted];
  },
});

const [haiku, polite] = [mini("haiku", 2), mini("polite", 1)];
const defaultId = "00000000-0000-0000-0000-000000000001";

/** A few texts, and what was looked up. */
export const texts = () =>
  ({
    system: among({
      [defaultId]: { content: "DEFAULT" },
      short: { id: "id-short", content: "SHORT" },
      long: { content: "LONG" },
    }),
    personalities: among({
      [defaultId]: { instructions: "", traits: {} },
      pirate: { id: "id-pirate", instructions: "Arr.", traits: { tone: "rough", teachingStyle: "by doing" } },
      monk: { instructions: "Om.", traits: {} },
    }),
    mini: among({ haiku, [haiku.id]: haiku, polite, [polite.id]: polite }),
  }) satisfies TextSource;
