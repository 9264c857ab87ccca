import { createHost } from "../host.ts";
import { exitCodes } from "./exit-codes.ts";
import { settingsOf, type CommonOptions } from "./service.ts";

/** Serves until a signal comes: the first lets work end or be kept for the next start, the second ends at once. */
export async function start(options: CommonOptions): Promise<number> {
  const host = await createHost(settingsOf(options));
  await host.listen();
  const left = host.services.system.plugins().filter(({ fault }) => fault !== null);
  const lines = [
    `Pergola serves on ${host.url}`,
    `  data        ${host.dataDirectory}`,
    `  model       ${host.services.preferences.get<string>("default_model")}`,
    ...left.map(({ id, fault }) => `  left out    ${id}: ${fault ?? ""}`),
    "  stop with Ctrl-C; `pergola chat` talks to it, `pergola doctor` tells what is missing",
  ];
  process.stdout.write(`${options.json === true ? JSON.stringify({ url: host.url, data: host.dataDirectory }) : lines.join("\n")}\n`);
  await new Promise<void>((resolve) => {
    const stop = (): void => {
      process.once("SIGINT", () => process.exit(exitCodes.interrupted));
      process.once("SIGTERM", () => process.exit(exitCodes.failed));
      resolve();
    };
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
  });
  await host.stop();
  return exitCodes.ok;
}
