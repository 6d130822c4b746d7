package rebalance;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A cidAll. Strategies are given the same list again and again, for as long as they do not change it. */
final class Ids {
    private final String[] ids;
    private List<String> list;

    private Ids(String[] ids) {
        this.ids = ids;
        renew();
    }

    /** No id is the same object as another text, as in a client: a strategy has to compare by equals. */
    static Ids read(ByteBuffer in, String[] strings) {
        String[] ids = new String[in.getInt()];
        for (int place = 0; place < ids.length; place++) {
            ids[place] = new String(strings[in.getInt()]);
        }
        return new Ids(ids);
    }

    List<String> list() {
        return list;
    }

    /** What a strategy has done to the list, null for nothing; the next call has it as it was. */
    String changed() {
        String found = difference();
        if (found != null) {
            renew();
        }
        return found;
    }

    private String difference() {
        if (list.size() != ids.length) {
            return "changes cidAll: it had " + ids.length + " ids, and has " + list.size();
        }
        for (int place = 0; place < ids.length; place++) {
            if (list.get(place) != ids[place]) {
                return "changes cidAll: another object is at position " + place;
            }
        }
        return null;
    }

    private void renew() {
        list = new ArrayList<>(Arrays.asList(ids));
    }
}
