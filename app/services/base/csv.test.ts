import { expect, test } from "vitest";

import { formatCsv } from "./csv.ts";

test("quotes what would end a cell or a row", () => {
  expect(formatCsv([["a,b", 'say "hi"', "two\nlines", -5, "", "名刺"]])).toBe(
    '\uFEFF"a,b","say ""hi""","two\nlines",-5,,名刺\r\n',
  );
});

test("no text is a formula for a spreadsheet", () => {
  const formulas = ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\r=1", "＝1", "|cmd", "%0A=1", '=HYPERLINK("x")'];
  for (const formula of formulas) expect(formatCsv([[formula]]).slice(1, 3)).toBe("\"'");
});
