import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { onOutput, startProcess, workerUrl } from "@pergola/kit-worker";
import { AppError, type Log } from "@pergola/sdk";
import { serverEnvironment } from "./server-options.ts";

const host = "127.0.0.1";

export const failure = (message: string): AppError => new AppError({ code: "provider_error", message });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/**
 * One run of the server program, for one model set, on a free loopback port. It gets no secrets and fetches
 * nothing.
 */
export class MlxServer {
  readonly #keeper: ChildProcess;
  readonly #port: number;
  #lastOutput = "";

  private constructor(program: string, options: readonly string[], port: number, log: Log) {
    this.#port = port;
    this.#keeper = startProcess(workerUrl("keep-server.process", import.meta.url), {
      args: [program, ...options, "--host", host, "--port", String(port)],
      env: serverEnvironment(),
    });
    onOutput(this.#keeper, (output) => {
      this.#lastOutput = (this.#lastOutput + output).slice(-300);
      log.debug({ output }, "mlx_lm.server writes");
    });
  }

  /** Starts it and waits until it answers. */
  static async start(
    program: string,
    options: readonly string[],
    log: Log,
    milliseconds: number,
  ): Promise<MlxServer> {
    const server = new MlxServer(program, options, await freePort(), log);
    const end = performance.now() + milliseconds;
    while (!(await server.#answers())) {
      const late = performance.now() > end;
      const output = server.#lastOutput.trim();
      if (late || server.ended) await server.end();
      if (late) throw failure("mlx_lm.server was not ready in time.");
      if (server.ended) throw failure(`mlx_lm.server ended at its start: ${output || "it wrote nothing"}`);
      await sleep(100);
    }
    return server;
  }

  get ended(): boolean {
    return this.#keeper.exitCode !== null || this.#keeper.signalCode !== null;
  }

  /** Sends a request; the body comes as it is written. */
  async send(
    method: string,
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const sent = request({
      host,
      port: this.#port,
      method,
      path,
      signal,
      headers: { "content-type": "application/json" },
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    sent.on("error", () => undefined);
    return answer;
  }

  async end(): Promise<void> {
    if (this.ended) return;
    const gone = once(this.#keeper, "exit");
    if (this.#keeper.connected) this.#keeper.disconnect();
    await gone;
  }

  async #answers(): Promise<boolean> {
    const answer = await this.send("GET", "/health", undefined, AbortSignal.timeout(2000)).catch(
      () => undefined,
    );
    answer?.resume();
    return answer?.statusCode === 200;
  }
}
