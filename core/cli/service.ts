import type { SettingsOptions } from "../settings/read-settings.ts";
import type { Host } from "../host.ts";

export interface CommonOptions {
  readonly settings?: string;
  readonly data?: string;
  readonly port?: string;
  readonly url?: string;
  readonly json?: boolean;
}

export interface Service {
  readonly url: string;
  /** True when this command started it, and ends it. */
  readonly own: boolean;
  call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response>;
}

/** The settings that the common flags stand for. */
export const settingsOf = ({ settings, data, port }: CommonOptions): SettingsOptions => ({
  file: settings,
  data,
  flags: port === undefined ? {} : { "server.port": port },
});

const healthy = async (url: string): Promise<boolean> =>
  fetch(`${url}/health`, { signal: AbortSignal.timeout(1000) }).then(
    (answer) => answer.ok,
    () => false,
  );

const at = (url: string, own: boolean): Service => ({
  url,
  own,
  call: (method, path, body, signal) =>
    fetch(url + path, {
      method,
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    }),
});

/** Uses the service that runs already, at `--url` or on the settings' port; otherwise starts one for this command alone. */
export async function withService<T>(options: CommonOptions, work: (service: Service) => Promise<T>): Promise<T> {
  if (options.url !== undefined) return work(at(options.url.replace(/\/$/, ""), false));
  const usual = `http://127.0.0.1:${options.port ?? 8080}`;
  if (options.data === undefined && options.settings === undefined && (await healthy(usual))) return work(at(usual, false));
  const host = await startOwn(options);
  try {
    return await work(at(host.url, true));
  } finally {
    await host.stop();
  }
}

async function startOwn(options: CommonOptions): Promise<Host> {
  const { createHost } = await import("../host.ts");
  const host = await createHost({ ...settingsOf(options), quiet: true });
  await host.listen({ host: "127.0.0.1", port: options.port === undefined ? 0 : Number(options.port) });
  return host;
}

/** The JSON of an answer; throws an Error with the service's message when it is a failure. */
export async function jsonOf<T>(answer: Response): Promise<T> {
  const body = (await answer.json()) as T & { readonly error?: { readonly message: string } };
  if (!answer.ok) throw new Error(body.error?.message ?? `The service answered ${answer.status}.`);
  return body;
}
