import { initials } from "./initials.ts";

/**
 * A person in a circle: their picture, or their initials. These stand behind the picture, so that they are there while it loads and
 * when it can't be loaded, without script. Nothing of it is read out: the name stands beside it.
 */
export function Portrait({ name, picture, width, className = "avatar" }: PortraitProps) {
  return (
    <span className={className} aria-hidden="true">
      {initials(name)}
      {picture && (
        <picture>
          <source type="image/webp" srcSet={`${picture.small} 192w, ${picture.large} 384w`} sizes={`${width}px`} />
          {/* An empty text, or a browser would write it over the initials where the picture is missing. */}
          <img src={picture.jpeg} width={width} height={width} alt="" decoding="async" />
        </picture>
      )}
    </span>
  );
}

/** Addresses of one square picture: WebP of 192 and of 384 pixels, and a JPEG for whoever can't read WebP. */
export type PortraitPicture = { small: string; large: string; jpeg: string };

type PortraitProps = {
  name: string;
  picture: PortraitPicture | undefined;
  /** Of the circle, in CSS pixels: by it the browser chooses which file to load. */
  width: number;
  /** How the circle looks; needs public.css where it is left out. */
  className?: string;
};
