import type { ReactNode } from "react";

import { CodeSample } from "./code-sample.tsx";
import type { DocsFacts } from "./docs-facts.ts";
import { curlLine, listExamples } from "./examples.ts";
import type { Example, ExampleName } from "./examples.ts";

/** Names from the HTTP interface with their meanings. */
export function DefinitionList({ rows }: { rows: readonly (readonly [name: string, meaning: ReactNode])[] }) {
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

/** One of the examples, which a test requests too. */
export function ExampleRequest({ name, facts }: { name: ExampleName; facts: DocsFacts }) {
  const example: Example = listExamples(facts)[name];
  const { what, status, type, response, path, imageSize } = example;
  const exists = facts.hasSamples || path.startsWith("/avatar/");
  return (
    <CodeSample
      what={what}
      note={`${status} ${type}`}
      code={curlLine(example, facts.baseUrl)}
      response={response?.join("\n")}
      image={imageSize && exists ? { src: path, width: imageSize[0], height: imageSize[1] } : undefined}
    />
  );
}
