import { expect, test } from "vitest";

import { isTraditionalChinese, listFontPackages, listPackagesFor } from "./font-packages.ts";

const firstFor = (character: string, text = character) =>
  listPackagesFor(character, listFontPackages(text)).at(0)?.name;

test("Chinese characters take the font of the text's language", () => {
  const chinese = (text: string) =>
    listFontPackages(text)
      .map(({ name }) => name)
      .find((name) => /-(sc|tc|kr|mincho)$/.test(name));
  expect(chinese("张伟")).toBe("@fontsource-variable/noto-sans-sc");
  expect(chinese("陳怡君")).toBe("@fontsource-variable/noto-sans-tc");
  expect(chinese("金民準 김민준")).toBe("@fontsource-variable/noto-sans-kr");
  expect(chinese("山田さくら")).toBe("@fontsource/shippori-mincho");
});

test("text is traditional Chinese with a character that GB 2312 lacks", () => {
  expect(isTraditionalChinese("張偉")).toBe(true);
  expect(isTraditionalChinese("王明")).toBe(false);
  expect(isTraditionalChinese("Ada")).toBe(false);
});

test("emoji take the color font, digits and letters beside them do not", () => {
  expect(firstFor("❤️", "1 ❤️")).toBe("@fontsource/noto-color-emoji");
  expect(firstFor("👩‍🚀")).toBe("@fontsource/noto-color-emoji");
  expect(firstFor("1", "1 ❤️")).toBe("@fontsource-variable/noto-sans");
});
