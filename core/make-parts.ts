import { AppError, PluginError } from "@pergola/sdk";
import {
  optionalParts,
  type RequiredParts,
  type HostParts,
  type OptionalParts,
  type PartLife,
  type Parts,
  type RedactionLevel,
  type Redactor,
  type StandIns,
} from "@pergola/sdk/host";
import { fault } from "./fault.ts";
import type { Lifecycle } from "./plugins/lifecycle.ts";
import { compile } from "./schema/validate.ts";
import { runWorkflow } from "./workflow/run-workflow.ts";

type Given = Pick<
  HostParts,
  | "log"
  | "clock"
  | "hooks"
  | "preferences"
  | "stores"
  | "sandbox"
  | "secrets"
  | "environment"
  | "home"
  | "dataDirectory"
  | "ownPorts"
  | "random"
  | "version"
>;

/**
 * The parts of the host: its own, and those that plugins bring. Throws the fault of a plugin whose part is
 * missing.
 */
export function makeParts(
  defaults: Given,
  lifecycle: Lifecycle,
  redactor: Redactor,
  standIns?: StandIns,
): Parts {
  const { preferences, clock, log } = defaults;
  const { registry } = lifecycle;
  const { tools, providers } = registry;
  const pluginOfProvider = (type: string): string | undefined => registry.pluginOf("provider", type);
  const level = (): RedactionLevel => preferences.get("output.redaction");
  const own: HostParts = {
    ...defaults,
    registered: {
      tools: standIns?.tools(tools) ?? tools,
      providers: [...providers, ...(standIns?.providers ?? [])],
      pluginOfProvider,
    },
    preference: (key) => preferences.list().find((one) => one.key === key)?.value,
    timestamp: () => new Date(clock.now()).toISOString(),
    redact: (text) => redactor.redact(text),
    learnSecrets: (values) => redactor.add(values),
    redactJson: (value) => redactor.redactJson(value),
    redactOutput: (value) => redactor.redactJson(value, level()),
    redactStream: () => redactor.stream(level),
    compile,
    runWorkflow: (run, start) => runWorkflow(parts, run, start),
    errorOf: (error, where) => {
      if (AppError.is(error)) return error;
      log.error({ ...where, error }, "unexpected fault");
      const message = "Something went wrong inside the service; its log has the details.";
      return fault("internal_error", message, { cause: error });
    },
  };
  const parts = own as { -readonly [K in keyof Parts]: Parts[K] };
  const add = <K extends keyof (RequiredParts & OptionalParts)>(name: K): void => {
    parts[name] = (lifecycle.part(name) as unknown as (parts: Parts) => Parts[K])(parts);
  };
  for (const name of ["doors", "models", "tools", "conversations", "approvals", "results", "runs"] as const)
    add(name);
  for (const name of optionalParts) {
    try {
      if (lifecycle.registry.part(name) === undefined) continue;
      add(name);
      lifecycle.keep(name, parts[name] as PartLife);
    } catch (error) {
      if (!PluginError.is(error)) throw error;
      lifecycle.leaveOut(error);
    }
  }
  return parts;
}
