import { call, pathOf, type Provider, type Usage } from "../link/index.ts";
import { From, Items, Line, useRead } from "../parts/index.ts";
import { chooseDefault, defaultModel, loadModels, models, nameOf, providers, runs } from "../state/index.ts";
import { count, counted, joined, money } from "../text/format.ts";
import { ConnectModel } from "./connect.tsx";

const drawProvider = ({ id, name, base_url, key, status, lastError, modelCount, fixed }: Provider) => {
  const isBad = status === "error";
  const act = () => call(pathOf(["api", "providers", id]), "DELETE");
  return (
    <Line
      key={id}
      name={name}
      note={joined(base_url, key.from === "stored" && "Key stored on this computer")}
      fault={isBad ? (lastError ?? "It cannot be reached.") : ""}
      actions={[!(fixed || base_url === "local") && { label: "Remove", about: name, isFinal: true, act }]}
    >
      <span class="faint">{isBad ? "fault" : counted(modelCount, "model")}</span>
    </Line>
  );
};

type Listed = NonNullable<(typeof models)["value"]>[number];

const drawModel = ({ id, is_local, context_window, supports_tools, isInstalled }: Listed) => {
  const place = is_local ? "on this computer" : "hosted";
  const isDefault = id === defaultModel.value;
  const remove = () => call(pathOf(["api", "models", id]), "DELETE");
  const choose = { act: () => chooseDefault(id), said: `${id} answers by default` };
  return (
    <Line
      key={id}
      name={nameOf(id)}
      note={joined(place, `context ${count(context_window)}`, !supports_tools && "no tools")}
      actions={[
        !isDefault && { label: "Use by default", about: id, ...choose },
        isInstalled && { label: "Delete", about: id, isFinal: true, act: remove, said: "Deleted" },
      ]}
    >
      {isDefault && <span class="faint">Default</span>}
    </Line>
  );
};

/** What the runs of this month have cost, as far as that is known; nothing before the first of them. */
export function UsageLine() {
  const today = new Date();
  const from = new Date(today.getFullYear(), today.getMonth()).toISOString();
  const path = pathOf(["api", "usage"], { from });
  const ended = runs.value.flatMap(({ id, status }) => (status === "ended" ? id : [])).join();
  const read = async () => (ended === "" ? undefined : call<{ total: Usage }>(path));
  const { value } = useRead(read, path + ended);
  if (value === undefined || value.total.runs === 0) return null;
  const { runs: number, runsWithoutPrice, costUsd } = value.total;
  const unknown = costUsd !== null && runsWithoutPrice > 0 && `, ${count(runsWithoutPrice)} without a price`;
  const facts = joined(`${money(costUsd)} this month`, counted(number, "run") + (unknown || ""));
  return <p class="faint">{facts[0]?.toUpperCase() + facts.slice(1)}</p>;
}

export const ModelsView = () => (
  <From path="models" read={() => loadModels().then(() => models)}>
    {(found) => [
      <Items of={found.value ?? []}>{drawModel}</Items>,
      providers.value.length > 0 && <h2>Providers</h2>,
      <Items of={providers.value}>{drawProvider}</Items>,
      <UsageLine />,
      <ConnectModel />,
    ]}
  </From>
);
