import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { JsonObject, PluginStatus } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import { trustFolder } from "../../core/settings/trust.ts";
import { openStage, type Stage } from "./host.ts";
import { calling, outcomesOf, play, saying, type Outcome } from "./lab-stage.ts";
import { recordingLog } from "./recording-log.ts";

/** The text of a file with one operation, `run`, of this body; `more` are further fields. */
export const toolFile = (body: string, more = ""): string =>
  `export default {
  description: "A tool under test", effect: "read", ${more}
  parameters: { name: { type: "string" } },
  async run(args, context) { ${body} },
};
`;

/** A person with tools in single files, their own and those of a folder, and the service that reads them. */
export class ToolFilesScene {
  readonly home = temporaryFolder("pergola-files-");
  readonly own = path.join(this.home, ".config", "pergola", "tools");
  readonly folder = path.join(this.home, ".pergola", "tools");
  log = recordingLog();
  #stage: Stage | undefined;

  constructor() {
    for (const each of [this.own, this.folder]) mkdirSync(each, { recursive: true });
  }

  get stage(): Stage {
    return this.#stage!;
  }

  async end(): Promise<void> {
    await this.#stage?.end();
    this.#stage = undefined;
  }

  write(place: string, files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(place, name), text);
  }

  /** Starts the service; one that is at work ends first. */
  async open(settings: JsonObject = {}): Promise<void> {
    await this.end();
    this.log = recordingLog();
    const options = { "plugins.require_sandbox": false, storage: { type: "sqlite" }, ...settings };
    this.#stage = await openStage([], { dataDirectory: this.home, settings: options, log: this.log });
  }

  plugins(): readonly PluginStatus[] {
    return this.stage.host.services.system.plugins().filter(({ id }) => id.startsWith("file-"));
  }

  statusOf(id: string): PluginStatus {
    return this.plugins().find((plugin) => plugin.id === id)!;
  }

  /** The person trusts the folder as it is now. */
  trust(): Promise<void> {
    return trustFolder(this.home, { home: this.home, environment: {} });
  }

  /** What a model gets that calls a tool. */
  async call(name: string, args: JsonObject = {}): Promise<Outcome> {
    const conversationId = `${name}-${Math.random()}`;
    const script = [calling({ name, arguments: { operation: "run", ...args } }), saying("done")];
    await play(this.stage, script, { conversationId, workingDirectory: temporaryFolder() });
    return (await outcomesOf(this.stage.host, conversationId)).at(-1)!;
  }
}
