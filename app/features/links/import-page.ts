import { Tokenizer, TokenizerMode } from "parse5";
import type { Token } from "parse5";

/** A place that a page leads to, with the words of the link. */
export type Anchor = { url: string; label: string };

/** What of a saved page can hold links: its anchors, the data that Next.js puts into it as JSON, and where the page itself was. */
export type SavedPage = { anchors: Anchor[]; data: string; hosts: Set<string> };

/**
 * Reads a page tag by tag. No tree is built: a page can be written so that its tree is a thousand times as large as itself. Takes time
 * that grows with the length of the text and no faster.
 */
export function readPage(html: string): SavedPage {
  const page: SavedPage = { anchors: [], data: "", hosts: new Set() };
  let anchor: { url: string; words: string[]; title: string } | undefined;
  let script: string[] | undefined;
  const endAnchor = () => {
    if (anchor && page.anchors.length < maxAnchors) {
      const words = anchor.words.join("").replace(/\s+/g, " ").trim();
      page.anchors.push({ url: anchor.url, label: words || anchor.title });
    }
    anchor = undefined;
  };
  const onText = ({ chars }: Token.CharacterToken) => {
    if (script) script.push(chars);
    else if (anchor && anchor.words.length < maxWords) anchor.words.push(chars.slice(0, 200));
  };
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag(tag) {
        tokenizer.state = textMode(tag.tagName) ?? tokenizer.state;
        const said = (name: string) => attribute(tag, name);
        if (tag.tagName === "a") {
          endAnchor();
          anchor = { url: said("href"), words: [], title: said("aria-label") || said("title") };
        } else if (tag.tagName === "img" && anchor) anchor.title ||= said("alt");
        else if (tag.tagName === "script" && said("id") === "__NEXT_DATA__") script = [];
        else if (isOwnAddress(said)) page.hosts.add(hostOf(said("href") || said("content")));
        // Words on either side of an element are two: <b>My</b><span>shop</span>.
        else if (anchor && anchor.words.length < maxWords) anchor.words.push(" ");
      },
      onEndTag(tag) {
        if (tag.tagName === "a") endAnchor();
        if (tag.tagName !== "script" || !script) return;
        page.data ||= script.join("");
        script = undefined;
      },
      // A browser says in a page that it saves: " saved from url=(0023)https://linktr.ee/ada ".
      onComment: ({ data }) => page.hosts.add(hostOf(/saved from url=\(\d+\)(\S{1,500})/.exec(data)?.[1] ?? "")),
      onCharacter: onText,
      onWhitespaceCharacter: onText,
      onNullCharacter: () => undefined,
      onDoctype: () => undefined,
      onEof: endAnchor,
    },
  );
  tokenizer.write(html, true);
  return page;
}

/** What stands in these elements is no markup (HTML Standard §13.2.6.4); the parser says so to its tokenizer, and here that is us. */
function textMode(name: string) {
  if (name === "script") return TokenizerMode.SCRIPT_DATA;
  if (name === "style" || name === "noembed" || name === "noframes" || name === "iframe") return TokenizerMode.RAWTEXT;
  return name === "textarea" || name === "title" ? TokenizerMode.RCDATA : undefined;
}

function isOwnAddress(said: (name: string) => string): boolean {
  return said("rel") === "canonical" || said("property") === "og:url";
}

function attribute({ attrs }: Token.TagToken, name: string): string {
  return attrs.find((one) => one.name === name)?.value ?? "";
}

/** "" where there is none. */
export function hostOf(address: string): string {
  return URL.parse(address)?.hostname.replace(/^www\./, "") ?? "";
}

const maxAnchors = 500;
const maxWords = 20;
