import { useEffect } from "preact/hooks";
import type { Model, Provider } from "../link/index.ts";
import { Button, Failed, Line, Loading, useAct } from "../parts/index.ts";
import { chooseDefault, defaultModel, loadModels, models, nameOf, providers } from "../state/index.ts";
import { count, counted } from "../text/index.ts";
import { ConnectModel } from "./connect.tsx";

function ProviderLine({ provider }: { readonly provider: Provider }) {
  const { name, base_url, key, status, lastError, modelCount } = provider;
  const isBad = status === "error";
  const facts = [base_url, key.from === "stored" ? "Key stored on this computer" : ""];
  return (
    <Line
      name={name}
      note={facts.filter(Boolean).join(" · ")}
      failure={isBad ? (lastError ?? "It cannot be reached.") : ""}
    >
      <span class="faint">{isBad ? "fault" : counted(modelCount, "model")}</span>
    </Line>
  );
}

function ModelLine({ model, choose }: { readonly model: Model; readonly choose: () => void }) {
  const { id, is_local, context_window, supports_tools } = model;
  const facts = [
    is_local ? "on this computer" : "hosted",
    `context ${count(context_window)}`,
    supports_tools ? "" : "no tools",
  ];
  return (
    <Line name={nameOf(id)} note={facts.filter(Boolean).join(" · ")}>
      {id === defaultModel.value ? (
        <span class="faint">Default</span>
      ) : (
        <Button look="quiet" press={choose} aria-label={`Use by default: ${id}`}>
          Use by default
        </Button>
      )}
    </Line>
  );
}

/** The models there are, which one answers by default, and where they come from. */
export function ModelsView() {
  const { failure, act } = useAct();
  const load = () => void act(loadModels);
  useEffect(load, []);
  const choose = (id: string) => void act(() => chooseDefault(id), `${id} answers by default`);
  return (
    <div class="view">
      <h1>Models</h1>
      {failure !== "" && <Failed message={failure} retry={load} />}
      {models.value === undefined && failure === "" && <Loading />}
      <ul class="lines">
        {models.value?.map((model) => (
          <ModelLine key={model.id} model={model} choose={() => choose(model.id)} />
        ))}
      </ul>
      {providers.value.length > 0 && <h2>Providers</h2>}
      <ul class="lines">
        {providers.value.map((provider) => (
          <ProviderLine key={provider.id} provider={provider} />
        ))}
      </ul>
      <ConnectModel />
    </div>
  );
}
