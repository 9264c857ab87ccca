import type { Grant } from "@pergola/sdk";
import { call, pathOf } from "../link/index.ts";
import { Button, Line, Reading, useAct, useRead } from "../parts/index.ts";
import { linkTo, titleOf } from "../state/index.ts";
import { clockTime, visible } from "../text/index.ts";

function GrantLine({ grant, again }: { readonly grant: Grant; readonly again: () => void }) {
  const { id, operation, paths, expiresAt, usesLeft, conversationId } = grant;
  const { failure, act } = useAct();
  const revoke = () =>
    act(() => call(pathOf(["api", "grants", id]), { method: "DELETE" }).then(again), `Revoked: ${operation}`);
  const uses = usesLeft === null ? "as long as it is there" : "once";
  const where = paths.length > 0 ? ` in ${paths.map(visible).join(", ")}` : "";
  return (
    <Line
      name={visible(operation) + where}
      note={[
        `${expiresAt === null ? uses : `until ${clockTime(expiresAt)}`}, in `,
        <a href={linkTo("c", conversationId)}>{titleOf(conversationId)}</a>,
      ]}
      failure={failure}
    >
      <Button press={revoke} aria-label={`Revoke: ${operation}`}>
        Revoke
      </Button>
    </Line>
  );
}

/** What calls may do without asking, because a person has said so. */
export function Permissions() {
  const read = useRead(() => call<{ grants: readonly Grant[] }>("/api/grants"), "");
  return (
    <Reading read={read}>
      {({ grants }) => (
        <ul class="lines">
          {grants.length === 0 && <li class="empty">Everything that is risky asks you first.</li>}
          {grants.map((grant) => (
            <GrantLine key={grant.id} grant={grant} again={read.again} />
          ))}
        </ul>
      )}
    </Reading>
  );
}
