import { CodeSample } from "./code-sample.tsx";
import type { DocsFacts } from "./docs-facts.ts";
import { curlLine, examplesOf } from "./examples.ts";
import type { Example, ExampleName } from "./examples.ts";

/** One of the examples that a test makes too. */
export function Request({ name, facts }: { name: ExampleName; facts: DocsFacts }) {
  const example: Example = examplesOf(facts)[name];
  const { what, status, type, answer, path, shown } = example;
  const isThere = facts.hasSamples || path.startsWith("/avatar/");
  return (
    <CodeSample
      what={what}
      note={`${status} ${type}`}
      code={curlLine(example, facts.baseUrl)}
      answer={answer?.join("\n")}
      picture={shown && isThere ? { src: path, width: shown[0], height: shown[1] } : undefined}
    />
  );
}
