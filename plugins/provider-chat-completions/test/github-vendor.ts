import type { JsonObject, Log, Provider } from "@pergola/sdk";
import {
  chatReply,
  jsonReply,
  memoryVault,
  mockProviderServer,
  type MockProviderServer,
  type MockReply,
  type MockRequest,
} from "@pergola/sdk/testing";
import { open } from "./support.ts";

export const github = "gho_canary-of-the-login-0123456789";
export const never = (): AbortSignal => new AbortController().signal;
export const device = {
  device_code: "canary-device-code",
  user_code: "ABCD-1234",
  verification_uri: "https://github.com/login/device",
  expires_in: 900,
  interval: 0.005,
};

/** GitHub and the vendor behind one address: what each path answers, and what was asked. */
export class Vendor {
  answers: Record<string, MockReply | (() => MockReply)> = {
    "/login/device/code": jsonReply(device),
    "/login/oauth/access_token": jsonReply({ access_token: github, token_type: "bearer" }),
    "/api/v3/copilot_internal/v2/token": () =>
      jsonReply({ token: `tid=canary-${(this.tokens += 1)}`, expires_at: 2000, refresh_in: 1500 }),
    "/v1/chat/completions": chatReply({ text: "Yes." }),
  };
  tokens = 0;
  now = 1_000_000;
  readonly kept: JsonObject[] = [];
  readonly logged: unknown[] = [];
  server!: MockProviderServer;

  static async start(): Promise<Vendor> {
    const vendor = new Vendor();
    await vendor.#serve();
    return vendor;
  }

  async #serve(): Promise<void> {
    this.server = await mockProviderServer((request) => {
      const answer = this.answers[request.path] ?? jsonReply({ message: "Not Found" }, { status: 404 });
      return typeof answer === "function" ? answer() : answer;
    });
  }

  async open(vault: JsonObject = {}, given: Parameters<typeof open>[1] = {}): Promise<Provider> {
    const log = (...said: readonly unknown[]): void => void this.logged.push(said);
    const kept = memoryVault(vault);
    const put = async (value: JsonObject): Promise<void> => {
      this.kept.push(value);
      await kept.put(value);
    };
    return open(
      "github-copilot",
      {
        baseUrl: this.server.baseUrl,
        extra: { github_url: this.server.url },
        apiKey: undefined as never,
        ...given,
      },
      {
        vault: { ...kept, put },
        clock: { now: () => this.now },
        log: { debug: log, info: log, warn: log, error: log } satisfies Log,
      },
    );
  }

  asked(path: string): readonly MockRequest[] {
    return this.server.requests.filter((request) => request.path === path);
  }

  /** Waits for a state of things that other work brings about. */
  async until(what: () => boolean): Promise<void> {
    while (!what()) await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

export const tokenPath = "/api/v3/copilot_internal/v2/token";
export const pollPath = "/login/oauth/access_token";
export const chatPath = "/v1/chat/completions";
