import { Tokenizer, TokenizerMode } from "parse5";
import type { Token } from "parse5";

type Anchor = { url: string; label: string };

/** `data` is the JSON that Next.js embeds, or ""; `hosts` are those that the page was saved from. */
type SavedPage = { anchors: Anchor[]; data: string; hosts: Set<string> };

/**
 * Reads the anchors of a saved page tag by tag, in linear time. It builds no tree: a hostile page can have a tree a thousand times its own
 * size. `savedFrom` is its address, if known.
 */
export function readSavedPage(html: string, savedFrom: string): SavedPage {
  const page: SavedPage = { anchors: [], data: "", hosts: new Set([hostOf(savedFrom)]) };
  let anchor: { url: string; texts: string[]; title: string } | undefined;
  let script: string[] | undefined;
  const endAnchor = () => {
    if (anchor?.url && page.anchors.length < maxAnchors) {
      const label = anchor.texts.join("").replace(/\s+/g, " ").trim();
      page.anchors.push({ url: anchor.url, label: label || anchor.title });
    }
    anchor = undefined;
  };
  const onText = ({ chars }: Token.CharacterToken) => {
    if (script) script.push(chars);
    else if (anchor && anchor.texts.length < maxTextsPerAnchor) anchor.texts.push(chars.slice(0, 200));
  };
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag(tag) {
        tokenizer.state = tokenizerMode(tag.tagName) ?? tokenizer.state;
        const attribute = (name: string) => tag.attrs.find((attr) => attr.name === name)?.value ?? "";
        if (tag.tagName === "a") {
          endAnchor();
          anchor = { url: attribute("href"), texts: [], title: attribute("aria-label") || attribute("title") };
        } else if (tag.tagName === "img" && anchor) anchor.title ||= attribute("alt");
        else if (tag.tagName === "script" && attribute("id") === "__NEXT_DATA__") script = [];
        else if (attribute("rel") === "canonical" || attribute("property") === "og:url")
          page.hosts.add(hostOf(attribute("href") || attribute("content")));
        // Elements separate words: <b>My</b><span>shop</span>.
        else if (anchor && anchor.texts.length < maxTextsPerAnchor) anchor.texts.push(" ");
      },
      onEndTag(tag) {
        if (tag.tagName === "a") endAnchor();
        if (tag.tagName !== "script" || !script) return;
        page.data ||= script.join("");
        script = undefined;
      },
      // Browsers add this to a page that they save: " saved from url=(0023)https://linktr.ee/ada ".
      onComment: ({ data }) => page.hosts.add(hostOf(/saved from url=\(\d+\)(\S{1,500})/.exec(data)?.[1] ?? "")),
      onCharacter: onText,
      onWhitespaceCharacter: onText,
      onNullCharacter: () => undefined,
      onDoctype: () => undefined,
      onEof: endAnchor,
    },
  );
  tokenizer.write(html, true);
  page.hosts.delete("");
  return page;
}

/** The content of these elements is not markup (HTML Standard §13.2.6.4). Normally the parser tells its tokenizer so. */
function tokenizerMode(name: string) {
  if (name === "script") return TokenizerMode.SCRIPT_DATA;
  if (name === "style" || name === "noembed" || name === "noframes" || name === "iframe") return TokenizerMode.RAWTEXT;
  return name === "textarea" || name === "title" ? TokenizerMode.RCDATA : undefined;
}

/** Without "www."; "" when the address has no host. */
export function hostOf(address: string): string {
  return URL.parse(address)?.hostname.replace(/^www\./, "") ?? "";
}

const maxAnchors = 500;
const maxTextsPerAnchor = 20;
