import { call, pathOf, type Plugin } from "../link/index.ts";
import { Fold, From, Items, Line, StatusLine, Texts } from "../parts/index.ts";
import { counted, dayAndTime, duration, joined, visible } from "../text/format.ts";
import { Preferences } from "./settings.tsx";

/** What it may reach, where it takes part in what the host does, and what its process did wrong. */
function Permissions({ plugin: { permissions, hooks, strikes } }: PluginProps) {
  const uses = hooks.map(({ name, calls, milliseconds, failures, lastError }) => {
    const faults = lastError && `${counted(failures, "failure")}: ${lastError}`;
    return joined(name, counted(calls, "call"), duration(milliseconds), faults);
  });
  if (Object.keys(permissions).length + hooks.length + strikes.length === 0) return null;
  const wrongs = strikes.map((one) => joined(dayAndTime(one.time), one.kind, one.call, one.stderr));
  const texts = { ...permissions, Hooks: uses.join("\n"), "What went wrong in it": wrongs.join("\n") };
  const number = ({ length }: readonly object[], one: string) => length > 0 && counted(length, one);
  const name = joined("Permissions", number(hooks, "hook"), number(strikes, "strike"));
  return <Fold name={name} children={<Texts of={texts} />} />;
}

const wordOf = ({ state }: Plugin): string => state.replace("_", " ");

type PluginProps = Readonly<{ plugin: Plugin }>;

function PluginLine({ plugin }: PluginProps) {
  const { id, kind, version, official, state, isolation, sandbox, settings, restartRequired } = plugin;
  const { fault, remedy, canRetry, canDisable } = plugin;
  const isOn = (state !== "disabled") !== restartRequired;
  const turn = (enabled: boolean) => () => call(pathOf(["api", "plugins", id]), "PATCH", { enabled });
  const when = fault !== null && !canRetry && "It is tried again when the service starts.";
  const preferences = <Preferences fits={({ schema }) => schema.key in (settings?.properties ?? {})} />;
  const walls = isolation === "process" && `own process, ${sandbox ?? "no sandbox"}`;
  const facts = joined(kind, version, !official && "not official", walls, wordOf(plugin));
  return (
    <Line
      name={id}
      note={[
        visible(plugin.description),
        <p>{facts}</p>,
        restartRequired && <p class="done">{`Switched ${isOn ? "on" : "off"} after a restart`}</p>,
        <Permissions plugin={plugin} />,
        settings && <Fold name="Settings" children={preferences} />,
      ]}
      fault={[fault, remedy, when].filter(Boolean).join(" ")}
      actions={[
        canRetry && { label: "Try again", about: id, act: turn(true) },
        canDisable && { label: isOn ? "Switch off" : "Switch on", about: id, act: turn(!isOn) },
      ]}
    />
  );
}

const weightOf = ({ fault, official }: Plugin): number => (fault === null ? 1 : 0) + (official ? 2 : 0);

/** 77 running, 1 left out. */
const sumOf = (plugins: readonly Plugin[]): string =>
  joined(...[...Map.groupBy(plugins, wordOf)].map(([state, { length }]) => `${length} ${state}`));

/** What Pergola is made of here: first what was added to it, and there what has a fault. */
export const PluginsView = () => (
  <From<{ plugins: readonly Plugin[] }> path="/api/plugins">
    {({ plugins }) => [
      <StatusLine text={sumOf(plugins)} />,
      <Items of={plugins.toSorted((one, other) => weightOf(one) - weightOf(other))}>
        {(plugin) => <PluginLine key={plugin.id} plugin={plugin} />}
      </Items>,
    ]}
  </From>
);
