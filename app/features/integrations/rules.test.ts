import * as fc from "fast-check";
import { expect, test } from "vitest";

import { formatRemote, parseRemote } from "./rules.ts";

const contact = fc.record({ id: fc.stringMatching(/^[^\n]+$/), isOurs: fc.boolean() });
const optional = fc.option(contact, { nil: undefined });

test("what the other side has of a contact is read as it was stored, also where that is nothing or unknown", () => {
  fc.assert(
    fc.property(fc.record({ contact: optional, replaced: optional, isUnanswered: fc.boolean() }), (state) => {
      expect(parseRemote(formatRemote(state))).toEqual(state);
    }),
  );
  expect(
    formatRemote({ contact: { id: "18", isOurs: true }, replaced: { id: "17", isOurs: false }, isUnanswered: true }),
  ).toBe("?+18\n=17");
});
