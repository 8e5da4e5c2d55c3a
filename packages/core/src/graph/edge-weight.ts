/**
 * Weight of the edge between a passage and an entity: the share of the entity in what the passage is
 * about,
 *
 *     w = (N + [defines] · D / n_def) / (Σ N + D · n_own)
 *
 * with N the occurrences, D the weight of a definition in mentions, n_def the passages that define the
 * entity and n_own the entities that the passage defines. Equation 6 leaves w open; the paper's weight is
 * the case D = 0. A definition is shared among the passages that carry it, so that the chunks of one
 * document, which all carry its title, do not become one hub.
 */
export function edgeWeight(
  count: number,
  defines: number,
  passagesDefiningEntity: number,
  mentionsInPassage: number,
  entitiesDefinedByPassage: number,
  definitionWeight: number,
): number {
  const mass = edgeMass(count, defines, passagesDefiningEntity, definitionWeight);
  return mass === 0 ? 0 : mass / (mentionsInPassage + definitionWeight * entitiesDefinedByPassage);
}

/** The numerator of the weight: occurrences, a definition counting as many. */
export function edgeMass(
  count: number,
  defines: number,
  passagesDefiningEntity: number,
  definitionWeight: number,
): number {
  return defines === 1 ? count + definitionWeight / passagesDefiningEntity : count;
}
