import { plans } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";

/** Both plans line by line, read from the rules that the product goes by. */
export function PlanTable() {
  return (
    <table className="mt-16 w-full table-fixed text-start sm:mt-24">
      <caption className="heading mb-6 text-start text-xl">Compare the plans</caption>
      <thead>
        <tr className="border-b border-line-strong text-start">
          <th scope="col" className={`${cell} w-[38%] text-start`}>
            <span className="sr-only">What</span>
          </th>
          {[plans.free, plans.premium].map(({ id, name }) => (
            <th key={id} scope="col" className={`${cell} text-start font-semibold`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, value }) => (
          <tr key={label} className="border-b border-line">
            <th scope="row" className={`${cell} text-start font-normal text-muted`}>
              {label}
            </th>
            <td className={cell}>{value(plans.free)}</td>
            <td className={cell}>{value(plans.premium)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const cell = "py-3.5 pe-3 align-top max-sm:text-sm";

const rows: { label: string; value: (plan: Plan) => string }[] = [
  { label: "Business cards", value: ({ maxCards }) => (Number.isFinite(maxCards) ? String(maxCards) : "Unlimited") },
  { label: "Links on the profile", value: ({ maxLinks }) => String(maxLinks) },
  { label: "Themes", value: ({ themes }) => String(themes.length) },
  { label: "'Made with Meishi' on your pages", value: ({ hasBranding }) => (hasBranding ? "Shown" : "Not shown") },
  { label: "Moving links between tabs", value: ({ canMoveLinks }) => (canMoveLinks ? "Yes" : "No") },
  {
    label: "Analytics",
    value: ({ hasAnalytics }) => (hasAnalytics ? "Yes" : "Counted from day one, shown after upgrade"),
  },
  { label: "Support", value: ({ support }) => support },
];
