import { endpointRules, type EndpointStage, type EndpointUnderTest } from "./endpoint-rules.ts";
import { hostedRules, type HostedStage, type HostedUnderTest } from "./hosted-rules.ts";
import { openKitHost, type KitHost, type PluginUnderTest } from "./kit-host.ts";
import { describeRules } from "./rule.ts";
import { toolRules } from "./tool-rules.ts";
import type { ToolStage, ToolUnderTest } from "./tool-stage.ts";

/** A block of tests with one host; `describeParts` gets what opens it. */
function describeInHost(
  kind: string,
  plugin: PluginUnderTest,
  describeParts: (opened: () => KitHost) => void,
): void {
  describe(`${plugin.id}, as ${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`, function () {
    this.timeout(60_000);
    let opened: KitHost | undefined;
    before(async () => {
      opened = await openKitHost(plugin);
    });
    after(() => opened?.close());
    describeParts(() => opened!);
  });
}

const describeHosted =
  (kind: string) =>
  (plugin: HostedUnderTest): void =>
    describeInHost(kind, plugin, (opened) =>
      describeRules(hostedRules, plugin, (): HostedStage => ({ ...plugin, ...opened() })),
    );

/**
 * What every tool plugin must do, by itself and under faults, in a real host. A plugin's own test file calls
 * this once; like all of these it needs the packages `pergola` and `@pergola/bundle-standard`.
 */
export function describeTool(plugin: ToolUnderTest): void {
  describeInHost("tool", plugin, (opened) =>
    describeRules(toolRules, plugin, (): ToolStage => ({ ...plugin, ...opened() })),
  );
}

/** What every policy must do, by itself and under faults, in a real host. */
export const describePolicy = describeHosted("policy");

/** The same for a service. */
export const describeService = describeHosted("service");

/** The same for a bundle and what it includes. */
export const describeBundle = describeHosted("bundle");

/** The same for a bridge. What it brings is a tool, too: `describeTool` takes it. */
export const describeBridge = describeHosted("bridge");

/** What every endpoint plugin must do, by itself and under faults, in a real host. */
export function describeEndpoint(plugin: EndpointUnderTest): void {
  describeInHost("endpoint", plugin, (opened) =>
    describeRules(endpointRules, plugin, (): EndpointStage => ({ ...plugin, ...opened() })),
  );
}

/** What every feature must do: the rules of a plugin in the host, and those of its routes. */
export function describeFeature(plugin: EndpointUnderTest & HostedUnderTest): void {
  describeInHost("feature", plugin, (opened) => {
    describeRules(hostedRules, plugin, (): HostedStage => ({ ...plugin, ...opened() }));
    describeRules(endpointRules, plugin, (): EndpointStage => ({ ...plugin, ...opened() }));
  });
}
