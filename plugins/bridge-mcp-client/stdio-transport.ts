import { StringDecoder } from "node:string_decoder";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { ToolError } from "@pergola/sdk";
import type { Sandbox } from "@pergola/sdk/host";
import { checkMessage, longestMessage } from "./guarded-messages.ts";
import type { ServerSettings } from "./server-settings.ts";
import { startServer, type RunningServer } from "./start-server.ts";
import { shortened } from "./shortened.ts";

/** Lines that are no messages, in a row: some servers greet, none prattles on. */
const mostNoise = 1000;
/** Bytes that a server may leave unread. */
const mostUnread = 32 * 1024 * 1024;

const wordsOf = (error: Error): string =>
  ToolError.is(error) ? `${error.message} ${error.hint}` : error.message;

/** Messages as lines through a server's standard input and output. One that breaks the rules is ended. */
export class StdioTransport implements Transport {
  /** By these two the package knows that a server may keep silent where it does not know a method. */
  readonly stderr = null;
  readonly pid = null;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  /** Why it ended, in words for the person. */
  ending = "";
  readonly #settings: ServerSettings;
  readonly #sandbox: () => Promise<Sandbox>;
  readonly #parse: (line: string) => JSONRPCMessage;
  #running: RunningServer | undefined;
  #line: string[] = [];
  #length = 0;
  #noise = 0;

  constructor(
    settings: ServerSettings,
    sandbox: () => Promise<Sandbox>,
    parse: (line: string) => JSONRPCMessage,
  ) {
    this.#settings = settings;
    this.#sandbox = sandbox;
    this.#parse = parse;
  }

  async start(): Promise<void> {
    const running = await startServer(this.#settings, this.#sandbox).catch((error: Error) => {
      this.ending = wordsOf(error);
      throw new Error(this.ending, { cause: error });
    });
    this.#running = running;
    if (this.ending !== "") void running.stop();
    const decoder = new StringDecoder("utf8");
    running.child.stdout.on("data", (piece: Buffer) => this.#take(decoder.write(piece)));
    running.child.stdout.on("error", () => undefined);
    running.child.once("close", (code, signal) => {
      const words = shortened(running.lastWords(), 300);
      this.ending ||= `The server ended (${signal ?? code}).${words === "" ? "" : ` It said: ${words}`}`;
      this.onclose?.();
    });
    await new Promise<void>((resolve, reject) => {
      running.child.once("spawn", resolve);
      running.child.once("error", (error: NodeJS.ErrnoException) => {
        this.ending =
          error.code === "ENOENT" ? `There is no such program: ${this.#settings.command}` : error.message;
        reject(new Error(this.ending));
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#running?.child ?? {};
    if (stdin?.writable !== true) throw new Error("The server has ended.");
    stdin.write(`${JSON.stringify(message)}\n`);
    if (stdin.writableLength > mostUnread) this.#end("The server does not read what it is sent.");
  }

  async close(): Promise<void> {
    await this.#running?.stop();
  }

  #take(text: string): void {
    const [rest = "", ...lines] = text.split("\n").reverse();
    for (const line of lines.reverse()) {
      const whole = this.#line.join("") + line;
      [this.#line, this.#length] = [[], 0];
      if (this.ending === "") this.#receive(whole);
    }
    this.#line.push(rest);
    this.#length += rest.length;
    if (this.#length > longestMessage) this.#end("The server sent a message that is too long.");
  }

  #receive(line: string): void {
    if (line.length > longestMessage) return this.#end("The server sent a message that is too long.");
    try {
      const message = this.#parse(line);
      checkMessage(message);
      this.#noise = 0;
      this.onmessage?.(message);
    } catch (error) {
      this.#noise += 1;
      if (this.#noise > mostNoise) this.#end("The server writes what is no message.");
      else this.onerror?.(error as Error);
    }
  }

  #end(why: string): void {
    if (this.ending !== "") return;
    this.ending = why;
    [this.#line, this.#length] = [[], 0];
    this.#running?.child.stdout.destroy();
    void this.close();
  }
}
