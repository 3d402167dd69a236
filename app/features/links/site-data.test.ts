import * as fc from "fast-check";
import { expect, test } from "vitest";

import { isAllowedAddress } from "./rules.ts";
import { findMedium, findUserName, networks, relabel, suggestLabel } from "./site-data.ts";

test("suggests the name of a known site, else the host", () => {
  const labels = {
    "https://www.linkedin.com/in/ada": "LinkedIn",
    "calendly.com/ada": "Calendly",
    "https://gist.github.com/ada": "GitHub",
    "https://ada.github.io": "ada.github.io",
    "https://ada.substack.com": "Substack",
    "https://www.google.de/maps/place/Berlin": "Google Maps",
    "https://www.google.com/search": "google.com",
    "www.ada.example/me": "ada.example",
    "mailto:ada@example.com": "ada@example.com",
    "": "",
    "not an address": "",
    "javascript:alert(1)": "",
    [`https://${"a".repeat(60)}.example`]: `${"a".repeat(59)}…`,
  };
  expect(Object.fromEntries(Object.keys(labels).map((address) => [address, suggestLabel(address)]))).toEqual(labels);
});

test("a label follows the address while it is empty or suggested, and never once it was typed", () => {
  const to = "https://gitlab.com/ada";
  expect(relabel("", { from: "", to })).toBe("GitLab");
  expect(relabel("GitHub", { from: "github.com/ada", to })).toBe("GitLab");
  expect(relabel("GitHub", { from: "github.com/ada", to: "git" })).toBe("");
  expect(relabel("My code", { from: "github.com/ada", to })).toBe("My code");
});

test("names the medium and the site of videos, music, podcasts and maps", () => {
  const label = (address: string) => findMedium(address)?.label;
  expect(label("https://youtu.be/1")).toBe("Video · YouTube");
  expect(label("https://music.youtube.com/playlist?list=1")).toBe("Music · YouTube Music");
  expect(label("https://open.spotify.com/track/1")).toBe("Music · Spotify");
  expect(label("https://podcasts.apple.com/podcast/1")).toBe("Podcast · Apple Podcasts");
  expect(label("https://www.openstreetmap.org/node/1")).toBe("Map · OpenStreetMap");
  expect(label("https://maps.app.goo.gl/x")).toBe("Map · Google Maps");
  expect(label("https://github.com/ada")).toBeUndefined();
});

test("a user name is one word, with or without @; anything with another sign is none", () => {
  const names = ["@ada.lovelace", " @ada ", "ada", "ada_l-1"].map(findUserName);
  expect(names).toEqual(["ada.lovelace", "ada", "ada", "ada_l-1"]);
  const words = "@ @ada@mastodon.social ada.example https://x.com/ada javascript:1 @a/b";
  const others = ["", "my site", ...words.split(" ")];
  expect(others.map(findUserName)).toEqual(others.map(() => undefined));
});

test("a user name gives an address that a link may have, on every network", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (typed) => {
      const name = findUserName(`@${typed}`);
      if (name !== undefined) expect(networks.filter(({ base }) => !isAllowedAddress(base + name))).toEqual([]);
    }),
  );
});
