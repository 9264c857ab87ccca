import type { DoctorReport } from "../link/index.ts";
import { Button, From, Items, Line, StatusLine } from "../parts/index.ts";
import { counted, dayAndTime, joined } from "../text/format.ts";

const drawFinding = ({ id, level, what, detail, remedy, address }: DoctorReport["findings"][number]) => {
  const isFault = level === "fault";
  const note = [isFault ? "" : detail, remedy && <p>{remedy}</p>];
  return (
    <Line key={id} name={what} note={note} fault={isFault ? detail : ""}>
      {address ? <a href={address}>Open</a> : <span class={isFault ? "failure" : "faint"}>{level}</span>}
    </Line>
  );
};

export const CheckView = () => (
  <From<DoctorReport> path="/api/doctor">
    {({ findings, checkedAt }, again) => {
      const { fault = [], note = [], ok = [] } = Object.groupBy(findings, ({ level }) => level);
      return [
        <StatusLine text={joined(counted(fault.length, "fault"), dayAndTime(checkedAt))} />,
        <Button press={again} label="Look again" />,
        <Items of={[...fault, ...note, ...ok]}>{drawFinding}</Items>,
      ];
    }}
  </From>
);
