import { initials } from "./characters.ts";

/**
 * A person's image or initials in a circle. The initials are behind the image: they show while it loads, and if it can't be loaded, without
 * script. Hidden from screen readers: put the name beside it.
 */
export function Portrait({ name, image, width, className = "avatar" }: PortraitProps) {
  return (
    <span className={className} aria-hidden="true">
      {initials(name)}
      {image && (
        <picture>
          <source type="image/webp" srcSet={`${image.small} 192w, ${image.large} 384w`} sizes={`${width}px`} />
          {/* With a text, browsers would draw it over the initials when the image is missing. */}
          <img src={image.jpeg} width={width} height={width} alt="" decoding="async" />
        </picture>
      )}
    </span>
  );
}

/** URLs of a square image: WebP with 192 and 384 pixels, and JPEG for browsers without WebP. */
export type PortraitImage = { small: string; large: string; jpeg: string };

type PortraitProps = {
  name: string;
  image: PortraitImage | undefined;
  /** The diameter in CSS pixels, by which the browser chooses a file. */
  width: number;
  /** The circle's classes; the default needs public.css. */
  className?: string;
};
