import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { defined, messageOf, type PluginStatus } from "@pergola/sdk";
import { checkPaths, type CheckedPlugin } from "../check/check-paths.ts";
import type { Problem } from "../check/problem.ts";
import { leaveNote } from "../cli/service-note.ts";
import { silentLog } from "../cli/person-log.ts";
import type { Host, HostOptions } from "../host.ts";
import { buildPackage } from "./build-package.ts";
import { hasBuild, type Sources } from "./read-sources.ts";
import { dropVersion, dropVersions, takeVersion } from "./snapshot.ts";

export interface DevOptions {
  /** It runs in the process of the service. */
  readonly trusted: boolean;
  /** Settings for the service; default: none but the defaults. */
  readonly settings?: string;
  /** Where its data is; default: an empty folder, removed at the end. */
  readonly data?: string;
  /** 0 = any that is free. */
  readonly port: number;
  readonly writeLog: NonNullable<HostOptions["writeLog"]>;
  /** Told of what could not be judged. */
  readonly note: (text: string) => void;
}

/** What has become of a save. */
export interface Loaded {
  /** What runs now; undefined where a host would leave it out. */
  readonly plugin?: PluginStatus;
  /** What is wrong with it; where it runs, only calls would find that. */
  readonly problems: readonly Problem[];
}

/**
 * A service of its own for one plugin and the standard ones. Each `load` puts what is saved now in the place
 * of what runs, in the same process and on the same data and port; what a host would leave out does not get
 * there.
 */
export class DevService {
  readonly #sources: Sources;
  readonly #options: DevOptions;
  readonly #scratch = realpathSync(mkdtempSync(path.join(tmpdir(), "pergola-dev-")));
  readonly #ending = new AbortController();
  #host: Host | undefined;
  #removeNote: () => void = () => undefined;
  #version: string | undefined;
  #versions = 0;
  #id = "";
  #port: number;

  constructor(sources: Sources, options: DevOptions) {
    this.#sources = sources;
    this.#options = options;
    this.#port = options.port;
    writeFileSync(path.join(this.#scratch, "settings.json"), "{}");
  }

  /** What runs; undefined while no version was good. */
  get host(): Host | undefined {
    return this.#host;
  }

  /** Of the plugin; empty while no version was good. */
  get id(): string {
    return this.#id;
  }

  get settings(): string {
    return this.#options.settings ?? path.join(this.#scratch, "settings.json");
  }

  get data(): string {
    return this.#options.data ?? path.join(this.#scratch, "data");
  }

  /** Builds, checks and runs what is saved now; while that is faulty, the last good version runs on. */
  async load(): Promise<Loaded> {
    const { path: folder, isFile } = this.#sources;
    try {
      if (hasBuild(this.#sources)) await buildPackage(folder, this.#ending.signal);
    } catch (error) {
      return { problems: [{ message: messageOf(error), remedy: "Correct it and save; it is built again." }] };
    }
    const place = isFile ? folder : takeVersion(this.#sources, (this.#versions += 1));
    const { trusted, settings, data, note } = this.#options;
    const scene = { trusted, types: false, log: silentLog, note, ...defined({ settings, data }) };
    const plugins = await checkPaths([place], scene);
    const problems = plugins.flatMap((plugin) => plugin.problems);
    const plugin = plugins.find((one) => one.folder === realpathSync(place));
    if (plugin?.state === "running") {
      await this.#run(plugin, place);
      return { plugin, problems };
    }
    if (!isFile) dropVersion(place);
    return { problems };
  }

  /** Ends a build that is under way. */
  cancel(): void {
    this.#ending.abort();
  }

  /** Ends the service, and removes all that this has made. */
  async stop(): Promise<void> {
    this.cancel();
    this.#removeNote();
    await this.#host?.stop();
    if (!this.#sources.isFile) dropVersions(this.#sources);
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  async #run(plugin: CheckedPlugin, place: string): Promise<void> {
    const { createHost } = await import("../host.ts");
    const { isFile } = this.#sources;
    const { trusted, writeLog } = this.#options;
    this.#id = plugin.id;
    this.#removeNote();
    const before = this.#host;
    this.#host = undefined;
    await before?.stop();
    const isolation = trusted ? "trusted" : "process";
    const host = await createHost({
      file: this.settings,
      data: this.data,
      cwd: this.#scratch,
      toolFiles: isFile ? [place] : [],
      candidates: isFile ? [] : [{ use: place, isolation }],
      unpinned: "candidates",
      flags: { "log.level": "debug" },
      writeLog,
    });
    this.#host = host;
    await host.listen({ host: "127.0.0.1", port: this.#port });
    this.#port = Number(new URL(host.url).port);
    this.#removeNote = leaveNote(host);
    if (this.#version !== undefined) dropVersion(this.#version);
    this.#version = isFile ? undefined : place;
  }
}
