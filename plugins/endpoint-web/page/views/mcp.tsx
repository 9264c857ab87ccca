import { call, type McpServer, pathOf } from "../link/index.ts";
import { Button, Fold, Form, type FormProps, From, Items, Line } from "../parts/index.ts";
import { counted, joined, visible } from "../text/format.ts";
import { Link } from "../text/markdown.tsx";

const root = ["api", "mcp", "servers"];
type Listed = Readonly<{ servers: readonly McpServer[] }>;
/** A sign-in ends on a page of its own. */
const waits = ({ servers }: Listed) => (servers.some(({ state }) => state === "sign_in") ? 2000 : 0);

const drawTool = ({ name, effect, changed, description }: McpServer["tools"][number]) => (
  <Line key={name} name={visible(name)} note={joined(effect, changed && "changed", visible(description))} />
);

const factsOf = ({ state, signedIn, command, sandbox, restartRequired, fixed }: McpServer) =>
  joined(
    state === "review" ? "changed, and not used until you approve it" : state.replace("_", " "),
    signedIn && "signed in",
    command !== null && (sandbox ?? "not sandboxed"),
    restartRequired && "models see the difference after a restart",
    fixed && "set in the settings",
  );

function ServerLine({ server, again }: { readonly server: McpServer; readonly again: () => void }) {
  const { name: about, command, args, url, state, lastError, signInUrl, tools, digest, fixed } = server;
  const ask = (method: string, body?: object, ...step: readonly string[]) =>
    call(pathOf([...root, about, ...step]), method, body).finally(again);
  const [isOff, isChanged] = [state === "disabled", state === "review"];
  const drawn = <Items of={tools}>{drawTool}</Items>;
  const review = () => ask("POST", { digest, approved: true }, "review");
  const change = { label: isOff ? "Switch on" : "Switch off", act: () => ask("PATCH", { enabled: isOff }) };
  return (
    <Line
      name={about}
      note={[
        <code>{visible(url ?? [command, ...args].join(" "))}</code>,
        <p>{factsOf(server)}</p>,
        signInUrl && <Link href={signInUrl}>Sign in</Link>,
        tools[0] && <Fold name={counted(tools.length, "tool")} isOpen={isChanged} children={drawn} />,
      ]}
      fault={lastError ?? ""}
      actions={[
        isChanged && { label: "Approve", about, act: review, said: "Approved" },
        !isOff && { label: "Check", about, act: () => ask("POST", {}, "check"), said: "Checked" },
        server.signedIn && { label: "Sign out", about, act: () => ask("POST", {}, "sign-out") },
        !fixed && { about, ...change },
        !fixed && { label: "Remove", about, isFinal: true, act: () => ask("DELETE"), said: "Removed" },
      ]}
    />
  );
}

const wordsOf = (text: string): readonly string[] =>
  (text.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"(.*)"$/, "$1"));

/** Of a field for what is kept as a secret: it is written, and never read. */
const secret = { type: "password", autoComplete: "off" } as const;

function AddForm() {
  const add: FormProps["submit"] = async ({ name, target = "", env = "", token }, form) => {
    const [command, ...args] = wordsOf(target);
    const variables = wordsOf(env).map((word) => word.split(/=(.*)/s, 2) as [string, string]);
    const program = { command, args, env: Object.fromEntries(variables) };
    const entry = /^https?:/.test(target) ? { url: target } : program;
    await call(pathOf(root), "POST", { name, ...entry, ...(token && { token }) });
    form.reset();
  };
  return (
    <Fold name="Add a server">
      <Form class="answers" submit={add} said="Added">
        <input name="name" aria-label="Name" placeholder="Name, such as tickets" required />
        <input name="target" aria-label="Command or URL" placeholder="Command or URL" required />
        <input name="env" {...secret} aria-label="Variables" placeholder="Variables, such as KEY=value" />
        <input name="token" {...secret} aria-label="Token" placeholder="Token" />
        <Button label="Add" />
      </Form>
    </Fold>
  );
}

export const McpView = () => (
  <From<Listed> path={pathOf(root)} waits={waits}>
    {({ servers }, again) => [
      <Items of={servers} empty="There are no MCP servers yet.">
        {(server) => <ServerLine key={server.name} server={server} again={again} />}
      </Items>,
      <AddForm />,
    ]}
  </From>
);
