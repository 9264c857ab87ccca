import { call, pathOf, type Provider, type Usage } from "../link/index.ts";
import { Items, Line, Reading, useRead } from "../parts/index.ts";
import { chooseDefault, defaultModel, loadModels, models, nameOf, providers } from "../state/index.ts";
import { count, counted, joined, money } from "../text/format.ts";
import { ConnectModel } from "./connect.tsx";

const drawProvider = ({ id, name, base_url, key, status, lastError, modelCount, fixed }: Provider) => {
  const isBad = status === "error";
  const act = () => call(pathOf(["api", "providers", id]), "DELETE").then(loadModels);
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
  const remove = () => call(pathOf(["api", "models", id]), "DELETE").then(loadModels);
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

/** What the runs of this month have cost, as far as that is known. */
function UsageLine() {
  const today = new Date();
  const from = new Date(today.getFullYear(), today.getMonth()).toISOString();
  const { value } = useRead(() => call<{ total: Usage }>(pathOf(["api", "usage"], { from })), from);
  if (value === undefined) return null;
  const { runs, runsWithoutPrice, costUsd } = value.total;
  const unknown = runsWithoutPrice > 0 ? `, ${count(runsWithoutPrice)} without a price` : "";
  const facts = joined(costUsd !== null && `${money(costUsd)} this month`, counted(runs, "run") + unknown);
  return <p class="faint">{facts}</p>;
}

/** The models there are, which one answers by default, and where they come from. */
export function ModelsView() {
  const read = useRead(loadModels, "");
  return (
    <>
      {models.value === undefined && <Reading read={read} children={() => null} />}
      <Items of={models.value ?? []}>{drawModel}</Items>
      {providers.value.length > 0 && <h2>Providers</h2>}
      <Items of={providers.value}>{drawProvider}</Items>
      <UsageLine />
      <ConnectModel />
    </>
  );
}
