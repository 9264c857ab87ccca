import "./style/tokens.css";
import "./style/base.css";
import "./style/code.css";
import "./style/chat.css";
import "./style/views.css";
import { computed, effect } from "@preact/signals";
import { render } from "preact";
import { ChatView } from "./chat/view.tsx";
import { isUpdated, lost, needsSignIn, takeCode, tryNow } from "./link/index.ts";
import { Button, Dialog, Icon, say, useNow } from "./parts/index.ts";
import { listenToKeys } from "./parts/keys.tsx";
import { address, closeDialog, overlay } from "./state/address.ts";
import { approvals, loadModels, openThread, startWatching, thread } from "./state/index.ts";
import { Navigation } from "./views/list.tsx";
import { visible } from "./text/format.ts";
import { views } from "./views/index.tsx";
import { SignInView } from "./views/sign-in.tsx";

const lack = computed(() => {
  if (lost.value === undefined) return "";
  if (!lost.value.isOffline) return "The service cannot be reached.";
  return `Connection lost.${thread.value.live.value ? " The run goes on." : ""}`;
});
effect(() => {
  if (lack.value !== "") say(lack.value, true);
  return () => lack.peek() === "" && say("The service is reached again.", true);
});
effect(() => void (isUpdated.value && say("Pergola was updated.")));

function ConnectionBar() {
  useNow(lack.value !== "");
  if (lost.value === undefined) return null;
  const seconds = Math.max(0, Math.ceil((lost.value.retryAt - Date.now()) / 1000));
  return (
    <div class="bar">
      <span>{lack.value + (seconds > 0 ? ` Next try in ${seconds} s.` : "")}</span>
      <Button isLocal look="quiet" press={tryNow} label="Try now" />
    </div>
  );
}

/** On a narrow screen the list lies over the page. */
const openList = () => (overlay.value = <Dialog name="Conversations" children={<Navigation />} />);

const skip = () => document.getElementById("main")?.focus();

function Page() {
  if (needsSignIn.value) return <SignInView />;
  const [view = "", step] = address.value;
  const shown = views[view];
  return (
    <div class="page">
      <Button isLocal look="hidden skip" press={skip} label="Skip to the content" />
      <Button isLocal look="quiet list-button" aria-label="Conversations" press={openList}>
        <Icon name="menu" />
      </Button>
      <Navigation />
      <main id="main" tabIndex={-1}>
        <ConnectionBar />
        {isUpdated.value && (
          <div class="bar">
            Pergola was updated.{" "}
            <Button isLocal look="quiet" press={() => location.reload()} label="Reload" />
          </div>
        )}
        {shown ? <div class="view" children={[<h1>{shown.name}</h1>, shown.draw(step)]} /> : <ChatView />}
      </main>
      {overlay.value}
    </div>
  );
}

/** The title of the window says what is shown, and how much waits. */
effect(() => {
  const waiting = approvals.value.length > 0 ? `(${approvals.value.length}) ` : "";
  const name = views[address.value[0] ?? ""]?.name ?? thread.value.title.value;
  document.title = `${waiting}${name} – Pergola`;
});

effect(() => {
  const [view = "", id] = address.value;
  closeDialog();
  if (views[view] === undefined) openThread(view === "c" ? id : undefined);
});

let announced = new Set<string>();
effect(() => {
  for (const { id, prompt } of approvals.value)
    if (!announced.has(id)) say(visible(`Needs your decision: ${prompt}. Alt+A`), true);
  announced = new Set(approvals.value.map(({ id }) => id));
});

listenToKeys();
await takeCode();
render(<Page />, document.getElementById("page") ?? document.body);
startWatching();
effect(() => {
  if (!needsSignIn.value) void loadModels().catch(() => undefined);
});
