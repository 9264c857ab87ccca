import { useEffect } from "preact/hooks";
import type { Model, Provider } from "../link/index.ts";
import { Failed, Items, Line, Loading, useAct, View } from "../parts/index.ts";
import { chooseDefault, defaultModel, loadModels, models, nameOf, providers } from "../state/index.ts";
import { count, counted, joined } from "../text/index.ts";
import { ConnectModel } from "./connect.tsx";

function ProviderLine({ provider }: { readonly provider: Provider }) {
  const { name, base_url, key, status, lastError, modelCount } = provider;
  const isBad = status === "error";
  return (
    <Line
      name={name}
      note={joined(base_url, key.from === "stored" && "Key stored on this computer")}
      fault={isBad ? (lastError ?? "It cannot be reached.") : ""}
    >
      <span class="faint">{isBad ? "fault" : counted(modelCount, "model")}</span>
    </Line>
  );
}

function ModelLine({ model }: { readonly model: Model }) {
  const { id, is_local, context_window, supports_tools } = model;
  const place = is_local ? "on this computer" : "hosted";
  const isDefault = id === defaultModel.value;
  const choose = {
    label: "Use by default",
    about: id,
    act: () => chooseDefault(id),
    said: `${id} answers by default`,
  };
  return (
    <Line
      name={nameOf(id)}
      note={joined(place, `context ${count(context_window)}`, !supports_tools && "no tools")}
      actions={[!isDefault && choose]}
    >
      {isDefault && <span class="faint">Default</span>}
    </Line>
  );
}

/** The models there are, which one answers by default, and where they come from. */
export function ModelsView() {
  const { failure, act } = useAct();
  const load = () => void act(loadModels);
  useEffect(load, []);
  return (
    <View name="Models">
      {failure !== "" && <Failed message={failure} retry={load} />}
      {models.value === undefined && failure === "" && <Loading />}
      <Items of={models.value ?? []}>{(model) => <ModelLine key={model.id} model={model} />}</Items>
      {providers.value.length > 0 && <h2>Providers</h2>}
      <Items of={providers.value}>
        {(provider) => <ProviderLine key={provider.id} provider={provider} />}
      </Items>
      <ConnectModel />
    </View>
  );
}
