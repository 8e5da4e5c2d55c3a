import type { GraphReader } from "../../src/graph/reader.js";
import type { Reset } from "../../src/pagerank/reset.js";

/** A reset vector of given masses by id, with the statistics that go with it. */
export async function resetOf(
  graph: GraphReader,
  passageMass: ReadonlyMap<number, number>,
  entityMass: ReadonlyMap<number, number>,
): Promise<Reset> {
  const entities = { ids: Float64Array.from(entityMass.keys()), length: entityMass.size };
  const passages = { ids: Float64Array.from(passageMass.keys()), length: passageMass.size };
  const { degrees, definitions } = await graph.degreesOf(entities);
  const { indptr } = await graph.entitiesOf(passages);
  return {
    entities,
    entityMass: Float64Array.from(entityMass.values()),
    entityDegrees: degrees,
    entityDefinitions: definitions,
    passages,
    passageMass: Float64Array.from(passageMass.values()),
    activationMass: new Float64Array(passageMass.size),
    passageDegrees: Uint32Array.from({ length: passages.length }, (_, p) => indptr[p + 1] - indptr[p]),
  };
}
