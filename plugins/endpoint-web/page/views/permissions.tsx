import type { Grant } from "@pergola/sdk";
import { call, pathOf } from "../link/index.ts";
import { Items, Line, Reading, useRead } from "../parts/index.ts";
import { linkTo, titleOf } from "../state/index.ts";
import { clockTime, visible } from "../text/index.ts";

function spanOf({ expiresAt, usesLeft }: Grant): string {
  if (expiresAt !== null) return `until ${clockTime(expiresAt)}`;
  return usesLeft === null ? "as long as it is there" : "once";
}

const revoking = { label: "Revoke", isFinal: true, said: "Revoked" } as const;

/** What calls may do without asking, because a person has said so. */
export function Permissions() {
  const read = useRead(() => call<{ grants: readonly Grant[] }>("/api/grants"), "");
  const revoke = (id: string) => call(pathOf(["api", "grants", id]), { method: "DELETE" }).then(read.again);
  const whereOf = ({ paths }: Grant) => (paths.length > 0 ? ` in ${paths.map(visible).join(", ")}` : "");
  return (
    <Reading read={read}>
      {({ grants }) => (
        <Items of={grants} empty="Everything that is risky asks you first.">
          {(grant) => (
            <Line
              key={grant.id}
              name={visible(grant.operation) + whereOf(grant)}
              note={[
                `${spanOf(grant)}, in `,
                <a href={linkTo("c", grant.conversationId)}>{titleOf(grant.conversationId)}</a>,
              ]}
              actions={[{ ...revoking, about: grant.operation, act: () => revoke(grant.id) }]}
            />
          )}
        </Items>
      )}
    </Reading>
  );
}
