// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.GraphApi;
import org.openapitools.client.api.ServerApi;
import org.openapitools.client.model.Follow;
import org.openapitools.client.model.FollowRequest;

/** Asks a server with the client that openapi-generator makes for Java: java Use URL */
public class Use {
    public static void main(String[] args) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(args[0]);
        if (!"ok".equals(new ServerApi(client).getHealthz().getStatus())) {
            throw new AssertionError("the server is not well");
        }
        Follow follow = new Follow().account("eve").target("bob");
        if (new GraphApi(client).postGraphFollow(new FollowRequest().follows(List.of(follow))).getSequence() < 1) {
            throw new AssertionError("a follow was not written");
        }
    }
}
