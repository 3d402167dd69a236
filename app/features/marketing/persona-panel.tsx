import type { Feature, Persona } from "./persona-words.ts";

/** A sheet as it comes from the printer: the story with its phone, and four cards that are not cut yet. */
export function PersonaPanel({ persona: { title, story, picture, features } }: { persona: Persona }) {
  return (
    <div className="crop sheet">
      <div className="story">
        <div>
          <h3 className="heading title">{title}</h3>
          <p>{story}</p>
        </div>
        <div className="phone">
          <img src={picture} width={600} height={1200} loading="lazy" decoding="async" alt="" />
        </div>
      </div>
      {features.map((feature) => (
        <FeatureCard key={feature.title} feature={feature} />
      ))}
    </div>
  );
}

function FeatureCard({ feature: { title, text, picture } }: { feature: Feature }) {
  return (
    <div>
      <img src={picture} width={760} height={459} loading="lazy" decoding="async" alt="" />
      <h3>{title}</h3>
      <p>{text}</p>
    </div>
  );
}
