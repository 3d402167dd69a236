/** What can be shown alone: the whole first screen, its card, its phone. */
const previewScreens = ["hero", "card", "phone"] as const;
const previewThemes = ["slate", "indigo", "emerald"] as const;

export type PreviewScreen = (typeof previewScreens)[number];
export type PreviewTheme = (typeof previewThemes)[number];
export type Preview = { screen: PreviewScreen; theme: PreviewTheme };

/**
 * What `?screen=&theme=` asks for. Of a name that comes twice the first counts. A screen that is not known is no preview, a theme
 * that is not known is slate; what was asked is never repeated.
 */
export function previewOf(query: URLSearchParams): Preview | undefined {
  const screen = previewScreens.find((name) => name === query.get("screen"));
  const theme = previewThemes.find((name) => name === query.get("theme"));
  return screen && { screen, theme: theme ?? "slate" };
}
