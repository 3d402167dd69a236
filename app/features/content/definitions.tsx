import type { ReactNode } from "react";

/** Names with what they mean, each name a word of the interface. */
export function Definitions({ rows }: { rows: readonly (readonly [name: string, meaning: ReactNode])[] }) {
  return (
    <dl>
      {rows.map(([name, meaning]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
