import type { DoctorReport } from "../link/index.ts";
import { Button, From, Items, Line, StatusLine } from "../parts/index.ts";
import { counted, dayAndTime, joined } from "../text/format.ts";

type Finding = DoctorReport["findings"][number];

const order: readonly Finding["level"][] = ["fault", "note", "ok"];

const drawFinding = ({ id, level, what, detail, remedy, address }: Finding) => {
  const isFault = level === "fault";
  const note = [isFault ? "" : detail, remedy && <p>{remedy}</p>];
  return (
    <Line key={id} name={what} note={note} fault={isFault ? detail : ""}>
      {address ? <a href={address}>Open</a> : <span class={isFault ? "failure" : "faint"}>{level}</span>}
    </Line>
  );
};

const faultsIn = (findings: readonly Finding[]): string =>
  counted(findings.filter(({ level }) => level === "fault").length, "fault");

/** What is found of the installation, what is missing first. */
export const CheckView = () => (
  <From<DoctorReport> path="/api/doctor">
    {({ findings, checkedAt }, again) => (
      <>
        <StatusLine text={joined(faultsIn(findings), dayAndTime(checkedAt))} />
        <Button press={again} label="Look again" />
        <Items of={order.flatMap((level) => findings.filter((one) => one.level === level))}>
          {drawFinding}
        </Items>
      </>
    )}
  </From>
);
