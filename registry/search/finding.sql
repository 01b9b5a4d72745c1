-- The rarest word leads, by the index on texts, and the things that it finds are asked for the others: so a frequent
-- word costs its count, and no list of all its things. Of whole words a thing has each once, so that nothing is sorted.
WITH named AS MATERIALIZED (
    SELECT thing_id, kind, MAX(weight) AS weight, MIN(place) AS place FROM (
        SELECT thing_id, kind, weight, place FROM search_term WHERE text IN (%s, %s, %s) AND place < 2
        UNION ALL
        SELECT thing_id, kind, weight, place FROM search_term WHERE text = %s AND place < 2 AND kind = 'measure'
        UNION ALL
        SELECT id, kind, weight, 0 FROM search_thing WHERE id IN ({composed})
    ) AS every_name GROUP BY thing_id, kind
), begun AS MATERIALIZED (
    SELECT thing_id, kind, MAX(weight) AS weight, 3 AS place FROM search_term AS lead
        WHERE {begun} AND place < 2 AND thing_id NOT IN (SELECT thing_id FROM named)
            AND NOT ({every_begins})
        GROUP BY thing_id, kind
), exact AS (
    SELECT thing_id, kind, weight, CASE WHEN {all_exact} THEN 2 ELSE 4 END AS place FROM search_term AS lead
        WHERE text = %s AND place = 2 AND thing_id NOT IN (SELECT thing_id FROM named) AND {all_begin}
), longer AS (
    SELECT thing_id, kind, MAX(weight) AS weight, 4 AS place FROM search_term AS lead
        WHERE {goes_on} AND place = 2 AND thing_id NOT IN (SELECT thing_id FROM named) AND {all_begin}
            AND NOT EXISTS (SELECT 1 FROM search_term AS own WHERE own.thing_id = lead.thing_id AND own.text = %s
                AND own.place = 2)
        GROUP BY thing_id, kind
)
