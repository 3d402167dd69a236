import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";

import type { PublicProfile } from "#app/features/profile/public-profile.server.ts";
import { qrPath } from "#app/features/drawing/qr-code.ts";

import { readElements } from "#tests/support/app/responses.ts";

import { ProfileView } from "./profile-view.tsx";

const work = { kind: "link", tab: "professional" } as const;
const linkedin = { ...work, id: "link-1", label: "LinkedIn", url: "https://www.linkedin.com/in/demo" };
const github = { ...work, id: "link-2", label: "GitHub", url: "https://github.com/demo" };
const music = { ...work, id: "link-3", label: "Music", url: "https://open.spotify.com/demo", tab: "personal" } as const;
const demo: PublicProfile = {
  id: "demo-user",
  displayName: "Demo User",
  bio: "Product designer.\nI make small things.",
  theme: "default",
  links: [linkedin, music, github],
  profileUrl: "https://meishi.example/u/demo",
  hasBranding: true,
  avatarKey: null,
  bannerKey: null,
  resumeFilename: "",
};
const qr = qrPath(`${demo.profileUrl}?q`);
type Props = Partial<Omit<React.ComponentProps<typeof ProfileView>, "profile">>;
const show = (profile: Partial<PublicProfile> = {}, props: Props = {}) =>
  renderToStaticMarkup(<ProfileView profile={{ ...demo, ...profile }} qr={qr} {...props} />);
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, "\n")
    .replaceAll(/[ \t]*\n\s*/g, "\n")
    .trim();
const elements = (html: string, tag: string) => readElements(html).filter((element) => element.tag === tag);
const linkTo = (html: string, href: string) =>
  elements(html, "a").find(({ attributes }) => attributes["href"] === href);
/** The headings above the links, cards and files of the profile. */
const headingsOf = (html: string) =>
  elements(html, "h2").flatMap(({ attributes, text }) => (attributes["class"] === "caps" ? [text] : []));
const openTab = (html: string) =>
  elements(html, "input").find(({ attributes }) => "checked" in attributes)?.attributes["id"];
const toOwner = { viewer: "owner" } as const;

describe("the public profile", () => {
  test("tells visitors when there is nothing on it yet, and the owner when a tab has no links", () => {
    const empty = { bio: "", links: [] };
    expect(textOf(show(empty))).toContain("Nothing here yet.");
    const own = textOf(show(empty, toOwner));
    expect(own).toContain("Professional\n0\nPersonal\n0");
    expect(own).toContain("Professional Links\nNo professional links added yet.");
    expect(own).toContain("Personal Links\nNo personal links added yet.");
    for (const text of [own, textOf(show(empty, { contact: "Save Contact" }))])
      expect(text).not.toContain("Nothing here yet.");
  });

  test("shows the name, the bio with its line breaks, and each link on its tab", () => {
    const text = textOf(show());
    expect(text).toMatch(/^DU\nQR Code\nShare\nDemo User\nProduct designer\.\nI make small things\./);
    expect(text).toContain("Professional\n2\nPersonal\n1");
    expect(text).toContain(
      "Professional Links\nLinkedIn\nlinkedin.com\nGitHub\ngithub.com\nPersonal Links\nMusic\nopen.spotify.com",
    );
    expect(text).toContain("Made with Meishi");
  });

  test.each([
    ["a visitor", {}],
    ["a signed-in stranger", { viewer: { userId: "user-2" } }],
    ["the owner", toOwner],
  ])("shows %s both tabs, an empty one with a sentence, once there is anything on the profile", (_, props) => {
    const bare = { bio: "", links: [] };
    const key = "avatars/demo-user/avatar_1790000000000";
    const contents: Partial<PublicProfile>[] = [
      { bio: "Designer" },
      { links: [github] },
      { links: [music] },
      { resumeFilename: "cv.pdf" },
      { avatarKey: key },
      { bannerKey: key },
    ];
    for (const more of contents) {
      const html = show({ ...bare, ...more }, props);
      const { links = [], resumeFilename = "" } = more;
      expect(headingsOf(html)).toEqual(["Professional Links", ...(resumeFilename ? ["Resume"] : []), "Personal Links"]);
      expect(html.includes("No professional links added yet.")).toBe(!links.includes(github));
      expect(html.includes("No personal links added yet.")).toBe(!links.includes(music));
    }
  });

  test("opens the first tab that has links", () => {
    const withCards = { ...toOwner, cards: <p>Mine</p> };
    for (const html of [show(), show({}, toOwner), show({ links: [] }, toOwner), show({ links: [] }, withCards)])
      expect(openTab(html)).toBe("profile-professional");
    const onlyMusic = { links: [music] };
    for (const html of [
      show(onlyMusic, toOwner),
      show(onlyMusic, withCards),
      show({ ...onlyMusic, resumeFilename: "cv.pdf" }),
    ])
      expect(openTab(html)).toBe("profile-personal");
  });

  test("builds the tabs from radio buttons, without JavaScript", () => {
    const html = show();
    const radios = elements(html, "input").map(({ attributes }) => [attributes["type"], attributes["name"]]);
    expect(radios.map(String)).toEqual(Array(2).fill("radio,profile-tab"));
    const labels = elements(html, "label").map(({ attributes }) => attributes["for"]);
    expect(labels).toEqual(expect.arrayContaining(["profile-professional", "profile-personal"]));
    expect(html).not.toMatch(/<script|\sstyle=/);
  });

  test("marks links with rel=me, opens them in a new tab without opener or referrer, and counts them", () => {
    const { href, target, rel, "data-target": counted } = linkTo(show(), github.url)?.attributes ?? {};
    expect([href, target, rel, counted]).toEqual([github.url, "_blank", "me noopener noreferrer", "link-2"]);
    expect(show()).toContain('data-subject="profile:demo-user"');
  });

  test("shows the owner a bar with links to the editor and to sharing, and the list of cards", () => {
    const html = show({}, { ...toOwner, cards: <p>My Business Card</p> });
    expect(textOf(html)).toMatch(/^Your profile\nEdit Profile\nShare\n/);
    expect(linkTo(html, "/profile")?.text).toBe("Edit Profile");
    expect(linkTo(html, "/share/profile")?.text).toBe("Share");
    expect(textOf(html)).toContain("Business Cards\nMy Business Card\nPersonal Links");
    expect(html).not.toContain("read-only");
  });

  test("shows another signed-in user the read-only notice, and a visitor neither notice nor editor nor cards", () => {
    const html = show({}, { viewer: { userId: "user-2" } });
    expect(textOf(html)).toMatch(/^Viewing a Public Profile\nThis is a read-only view\.\nGo to My Profile/);
    expect(linkTo(html, "/u/user-2")?.text).toBe("Go to My Profile");
    expect(html).not.toContain("Edit Profile");
    expect(show()).not.toMatch(/Your profile|Edit Profile|Viewing a Public|Business Cards/);
  });

  test("uses 'Professional' for an empty name, the name's direction, and the default theme for an unknown one", () => {
    expect(elements(show({ displayName: " " }), "h1").map(({ text }) => text)).toEqual(["Professional"]);
    expect(show({ displayName: "فاطمة 👩‍🚀" })).toContain('dir="rtl"');
    expect(show({ theme: "neon" })).toContain('data-theme="default"');
    expect(show({ theme: "forest" })).toContain('data-theme="forest"');
  });

  test("shows headings on the tabs of the links below them, and counts links only", () => {
    const talks = { ...music, id: "h1", kind: "heading", label: "Talks <3", url: "" } as const;
    const html = show({ links: [linkedin, talks, github, { ...talks, id: "h2", label: "Empty" }] });
    expect(textOf(html)).toMatch(/Professional Links\nLinkedIn\n.*\nTalks &lt;3\nGitHub\n/);
    expect(elements(html, "h3")).toHaveLength(1);
    expect(textOf(show({ links: [talks, linkedin, music] }))).toMatch(/Professional\n1\nPersonal\n1/);
  });

  test("shows a link as a card that names the medium and the site, and requests nothing from it", () => {
    const video = { ...music, kind: "media", label: "My talk", url: "https://www.youtube.com/watch?v=1" } as const;
    const html = show({ links: [video] });
    expect(textOf(html)).toContain("My talk\nVideo · YouTube\n");
    expect(html).toContain('data-target="link-3"');
    expect(html).not.toMatch(/<(?:img|iframe|script|video)[^>]+youtube/);
  });

  test("shows a featured link with its image, and as a plain link without one", () => {
    const featured = { ...music, kind: "featured", picture: "pictures/ada/x_1790000000000", alt: "A garden" } as const;
    const html = show({ links: [featured] });
    expect(elements(html, "img").map(({ attributes }) => attributes)).toMatchObject([
      { src: expect.stringMatching(/^\/files\/pictures\/ada\/x_1790000000000\.webp/), alt: "A garden" },
    ]);
    expect(html).toContain('<li class="featured">');
    expect(show({ links: [{ ...featured, picture: "" }] })).not.toContain("featured");
  });

  test("names a link without a label by its host", () => {
    const text = textOf(show({ links: [{ ...music, label: "", url: "https://www.example.com/me" }] }));
    expect(text).toContain("Personal Links\nexample.com\n");
    expect(text.match(/example\.com/g)).toHaveLength(1);
  });

  test("shows the avatar over the initials, and offers the banner in two sizes", () => {
    const [avatarKey, bannerKey] = ["avatars/demo-user/avatar_1790000000000", "banners/demo-user/banner_1790000000000"];
    const avatar = show({ avatarKey });
    expect(avatar).toContain('<span class="avatar" aria-hidden="true">DU<picture>');
    expect(elements(avatar, "source")[0]?.attributes).toMatchObject({
      srcset: expect.stringMatching(/_192\.webp\?v=mubbs7i8 192w, [^ ]+_384\.webp\?v=mubbs7i8 384w$/),
      sizes: "96px",
    });
    expect(elements(avatar, "img")[0]?.attributes["src"]).toBe(`/files/${avatarKey}.jpg?v=mubbs7i8`);
    const banner = show({ bannerKey });
    expect(elements(banner, "source")[0]?.attributes).toMatchObject({
      media: "(max-width: 699px)",
      srcset: expect.stringMatching(/_860\.webp/),
    });
    expect(elements(banner, "img")[0]?.attributes).toMatchObject({ alt: "", decoding: "async" });
    expect(show()).not.toContain("<picture");
  });

  test("shows the resume below the professional links, as plain links that aren't counted", () => {
    const html = show({ resumeFilename: "ada <cv>.pdf" });
    expect(textOf(html)).toContain(
      "github.com\nResume\nada &lt;cv&gt;.pdf\nAvailable for download\nView\nDownload\nPersonal",
    );
    const path = "/u/demo-user/resume";
    expect(linkTo(html, path)?.attributes).toMatchObject({ target: "_blank", "data-toast": "Opening resume" });
    expect(linkTo(html, `${path}?download`)?.attributes).toMatchObject({ "data-toast": "Resume downloaded" });
    expect(textOf(show({ links: [music], resumeFilename: "cv.pdf" }))).toContain("Professional\n0\nPersonal\n1");
    const own = textOf(show({ links: [music], resumeFilename: "cv.pdf" }, toOwner));
    expect(own).toContain("No professional links added yet.\nResume\ncv.pdf\nYour resume");
    expect(show()).not.toContain("resume");
  });

  test("has no landmark, h1, counted links or duplicate ids as the editor's preview", () => {
    const html = show({}, { isPreview: true });
    expect(html).toMatch(/^<div class="page" data-theme="default">/);
    expect(html).not.toMatch(/<main|<h1|data-subject/);
    expect([...html.matchAll(/ (?:id|name|for)="([^"]*)"/g)].every(([, id]) => id?.startsWith("preview-"))).toBe(true);
  });
});
