import { call, messageOf, pathOf } from "../link/api.ts";
import type { Grant } from "../link/wire.ts";
import { say } from "../parts/announce.tsx";
import { Button } from "../parts/button.tsx";
import { Failed, Loading } from "../parts/states.tsx";
import { useRead } from "../parts/use-read.tsx";
import { linkTo } from "../state/address.ts";
import { titleOf } from "../state/service.ts";
import { clockTime } from "../text/format.ts";
import { visible } from "../text/visible.ts";

function GrantRow({ grant, again }: { readonly grant: Grant; readonly again: () => void }) {
  const { id, operation, paths, expiresAt, conversationId } = grant;
  const revoke = () =>
    call(pathOf(["api", "grants", id]), { method: "DELETE" })
      .then(
        () => say(`Revoked: ${operation}`),
        (error: unknown) => say(messageOf(error), true),
      )
      .then(again);
  return (
    <li class="line">
      <span>
        <strong>{visible(operation)}</strong> {paths.length > 0 && `in ${paths.map(visible).join(", ")}`}
        <p class="faint">
          {expiresAt === null ? "as long as it is there" : `until ${clockTime(expiresAt)}`}, in{" "}
          <a href={linkTo("c", conversationId)}>{titleOf(conversationId)}</a>
        </p>
      </span>
      <Button press={revoke} aria-label={`Revoke: ${operation}`}>
        Revoke
      </Button>
    </li>
  );
}

/** What calls may do without asking, because a person has said so. */
export function Permissions() {
  const { value, failure, again } = useRead(() => call<{ grants: readonly Grant[] }>("/api/grants"), "");
  if (failure !== "") return <Failed message={failure} retry={again} />;
  if (value === undefined) return <Loading />;
  if (value.grants.length === 0) return <p class="empty">Everything that is risky asks you first.</p>;
  return (
    <ul class="lines">
      {value.grants.map((grant) => (
        <GrantRow key={grant.id} grant={grant} again={again} />
      ))}
    </ul>
  );
}
